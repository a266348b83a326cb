import type { ConfigFiles } from "../config/config-files.ts";
import { parseJsonc } from "../config/jsonc.ts";
import type { RememberedRule } from "../permissions/permission-guard.ts";
import { changeSetting } from "./save-setting.ts";

export interface SavePermissionRuleOptions extends RememberedRule {
  readonly files: Pick<ConfigFiles, "update">;
  /** The user's settings file: a project's own file is not the place for what one person allows. */
  readonly userPath: string;
  /** Absolute path of the project that the rule is for, as `loadSettings` gets it. */
  readonly cwd: string;
}

/**
 * Adds a rule to those of a project in the user's settings; one that is there already is not added again.
 *
 * Throws as `saveSetting` does.
 */
export function savePermissionRule(options: SavePermissionRuleOptions): Promise<void> {
  const { files, userPath, cwd, decision, rule } = options;
  const path = ["permissions", "projects", cwd, decision];
  return changeSetting(files, userPath, async (text) => {
    const known = listAt(text.trim() === "" ? {} : await parseJsonc(text), path);
    return { path, value: known.includes(rule) ? known : [...known, rule] };
  });
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
  return Array.isArray(found) ? found : [];
}
