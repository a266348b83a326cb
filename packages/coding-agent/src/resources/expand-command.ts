import type { FileSystem } from "../env/environment.ts";
import { expandTemplate } from "../prompt-templates/expand-template.ts";
import type { PromptTemplate } from "../prompt-templates/load-prompt-templates.ts";
import type { Skill } from "../skills/skill.ts";
import { expandSkill } from "../skills/skill-text.ts";

export interface ExpandCommandOptions {
  readonly files: FileSystem;
  readonly skills: readonly Skill[];
  readonly templates: readonly PromptTemplate[];
}

/** What the user's `/name …` or `/skill:name …` stands for; undefined when it names neither a template nor a skill. */
export async function expandCommand(
  text: string,
  { files, skills, templates }: ExpandCommandOptions,
): Promise<string | undefined> {
  const match = /^\/(\S+)([\s\S]*)$/.exec(text);
  const name = match?.[1] ?? "";
  const args = match?.[2] ?? "";
  const template = templates.find((one) => one.name === name);
  if (template !== undefined) return expandTemplate(template.template, args);
  const skill = skills.find((one) => `skill:${one.name}` === name);
  return skill === undefined ? undefined : expandSkill(files, skill, args);
}
