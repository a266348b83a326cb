import { dirname } from "node:path";
import type { FileSystem } from "../env/environment.ts";
import { splitFrontMatter } from "../resources/front-matter.ts";
import type { Skill } from "./skill.ts";

/** The prompt section that tells the model which skills there are; empty without any. */
export function skillsSection(skills: readonly Skill[]): string {
  const offered = skills.filter(({ isOffered }) => isOffered);
  if (offered.length === 0) return "";
  const entries = offered.map(
    ({ name, description, path }) => `- ${name}: ${oneLine(description)} (${oneLine(path)})`,
  );
  return `Instructions for special tasks. When a task fits one, read its file first; paths in it are relative to its folder.\n${entries.join("\n")}`;
}

/** A skill as the user's message when they call it: its instructions, where its files lie, and what they added. */
export async function expandSkill(files: FileSystem, skill: Skill, args: string): Promise<string> {
  const { body } = splitFrontMatter(new TextDecoder().decode(await files.readFile(skill.path)));
  const head = `<skill name="${skill.name}" folder="${dirname(skill.path).replaceAll('"', "&quot;")}">`;
  const block = `${head}\n${body.trim()}\n</skill>`;
  return args.trim() === "" ? block : `${block}\n\n${args.trim()}`;
}

/** Descriptions and paths are a stranger's: a line break in one could pass for another entry. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").trim();
}
