import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KnownModels } from "./known-models.ts";
import { loadTheme } from "./modes/interactive/theme/load-theme.ts";
import { TERMINAL_THEME } from "./modes/interactive/theme/themes.ts";
import { failureOf } from "./render/error-text.ts";

export interface SettingWarningOptions {
  /** Such as `["theme"]`. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly known: Pick<KnownModels, "find">;
  /** Absolute; where themes of the user lie below. */
  readonly userDirectory: string;
}

/** What a person should know about a setting that is well formed and names something that is not there now. */
export async function settingWarning(options: SettingWarningOptions): Promise<string | undefined> {
  const { path, value, known, userDirectory } = options;
  const name = path.join(".");
  if (typeof value !== "string") return undefined;
  if (name === "theme") {
    const readTheme = (theme: string) => readFile(join(userDirectory, "themes", `${theme}.json`), "utf8");
    const { warnings } = await loadTheme({
      ...{ name: value, readFile: readTheme, ask: async () => TERMINAL_THEME },
    });
    return warnings.length === 0 ? undefined : warnings.join(" ");
  }
  if (name !== "model" && name !== "compaction.summaryModel") return undefined;
  return known.find(value).then(
    () => undefined,
    (error: unknown) => failureOf(error).message,
  );
}
