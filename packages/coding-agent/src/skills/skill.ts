import type { ResourceSource } from "../resources/resource-root.ts";

/** A skill by the Agent Skills format (agentskills.io, 2026): a folder whose `SKILL.md` says when to use it. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Absolute path of its `SKILL.md`. */
  readonly path: string;
  readonly source: ResourceSource;
  /** False: only the user calls it; the model is not told of it. */
  readonly isOffered: boolean;
}

const MOST_NAME_CHARS = 64;
const MOST_DESCRIPTION_CHARS = 1024;

/** Checks the fields of a head; a skill that says what it is for is used even where the rest is not as it should be. */
export function skillFrom(options: {
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly path: string;
  readonly folderName: string;
  readonly source: ResourceSource;
}): { readonly skill: Skill | undefined; readonly problems: readonly string[] } {
  const { fields, path, folderName, source } = options;
  const text = (key: string) => (typeof fields[key] === "string" ? fields[key].trim() : "");
  const problems: string[] = [];
  const description = text("description");
  if (description === "") return { skill: undefined, problems: ["it has no description and is not used"] };
  if (description.length > MOST_DESCRIPTION_CHARS) {
    problems.push(`its description is longer than ${MOST_DESCRIPTION_CHARS} characters and is cut`);
  }
  const name = text("name") || folderName;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > MOST_NAME_CHARS) {
    return {
      skill: undefined,
      problems: [
        `its name "${name.slice(0, 80)}" is not made of small letters, digits and single hyphens (at most ${MOST_NAME_CHARS}) and it is not used`,
      ],
    };
  }
  if (name !== folderName) problems.push(`its name "${name}" is not that of its folder "${folderName}"`);
  const isOffered = text("disable-model-invocation") !== "true";
  return {
    skill: { name, description: description.slice(0, MOST_DESCRIPTION_CHARS), path, source, isOffered },
    problems,
  };
}
