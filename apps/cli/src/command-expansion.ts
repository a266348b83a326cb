import { type Environment, type Extension, expandCommand } from "@coppice/coding-agent";
import type { Setup } from "./setup.ts";

/** Turns `/template …` and `/skill:name …` into what they stand for, in every mode and wherever input comes from. */
export function commandExpansion(
  { settings, skills, templates }: Pick<Setup, "settings" | "skills" | "templates">,
  files: Environment["files"],
): Extension {
  const callable = settings.enableSkillCommands === false ? [] : skills;
  return {
    name: "coppice.command-expansion",
    setup(api) {
      api.on("input", async (input) => {
        const text = await expandCommand(input.text, { files, skills: callable, templates });
        return text === undefined ? input : { ...input, text };
      });
    },
  };
}
