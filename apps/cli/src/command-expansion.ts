import { type Environment, type Extension, expandCommand } from "@coppice/coding-agent";
import type { Setup } from "./setup.ts";

type Callable = Pick<Setup, "settings" | "skills" | "templates">;

/** Turns `/template …` and `/skill:name …` into what they stand for, in every mode. */
export function commandExpansion(setup: Callable, files: Environment["files"]): Extension {
  return {
    name: "coppice.command-expansion",
    setup(api) {
      api.on("input", async (input) => {
        const text = await expandedInput(input.text, setup, files);
        return text === undefined ? input : { ...input, text };
      });
    },
  };
}

/** What a text that calls a template or a skill stands for; undefined when it calls none. */
export function expandedInput(
  text: string,
  { settings, skills, templates }: Callable,
  files: Environment["files"],
): Promise<string | undefined> {
  const callable = settings.enableSkillCommands === false ? [] : skills;
  return expandCommand(text, { files, skills: callable, templates });
}
