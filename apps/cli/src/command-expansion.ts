import { type Environment, type Extension, expandCommand } from "@coppice/coding-agent";
import type { Setup } from "./setup.ts";

type Callable = Pick<Setup, "settings" | "skills" | "templates">;

/** Turns `/template …` and `/skill:name …` into what they stand for, in every mode. */
export function commandExpansion(setup: Callable, files: Environment["files"]): Extension {
  const { settings, templates } = setup;
  return {
    name: "coppice.command-expansion",
    setup(api) {
      api.on("input", async (input) => {
        const skills = settings.enableSkillCommands === false ? [] : setup.skills;
        const text = await expandCommand(input.text, { files, skills, templates });
        return text === undefined ? input : { ...input, text };
      });
    },
  };
}
