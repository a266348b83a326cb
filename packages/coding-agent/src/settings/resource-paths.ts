import { resolveWrittenPath, type WrittenPathOptions } from "../resources/written-path.ts";
import type { Settings } from "./schema.ts";

/** Settings whose folders of skills and prompts are absolute: written down, they begin in the folder of their file. */
export function withAbsoluteFolders(settings: Settings, options: WrittenPathOptions): Settings {
  const absolute = (paths: readonly string[]) => paths.map((path) => resolveWrittenPath(path, options));
  const { skills, prompts } = settings;
  return {
    ...settings,
    ...(skills === undefined ? {} : { skills: absolute(skills) }),
    ...(prompts === undefined ? {} : { prompts: absolute(prompts) }),
  };
}
