import { dirname } from "node:path";
import type { ConfigFiles } from "../config/config-files.ts";
import { parseJsonc } from "../config/jsonc.ts";
import { messageOf } from "../errors.ts";
import { checkSettings } from "./check-settings.ts";
import { mergeSettings } from "./merge-settings.ts";
import { withAbsoluteFolders } from "./resource-paths.ts";
import type { Settings } from "./schema.ts";

export interface LoadSettingsOptions {
  readonly files: Pick<ConfigFiles, "read">;
  /** The user's file; absent = none is read. */
  readonly userPath?: string | undefined;
  /** The project's file; absent = none is read. */
  readonly projectPath?: string | undefined;
  /** Whether the user trusts the project: without it only settings count that can do no harm. */
  readonly isProjectTrusted: boolean;
  /** Absolute; the user's own rules for this project count as well. */
  readonly cwd?: string;
  /** What `~` in a path stands for; absent: nothing. */
  readonly homeDirectory?: string | undefined;
  /** What the command line says; above everything. */
  readonly overrides?: Settings;
}

export interface LoadedSettings {
  /** Folders of skills and prompts are absolute: relative ones begin in the folder of the file that names them. */
  readonly settings: Settings;
  /** The user's own, without the project, as they are written. */
  readonly user: Settings;
  readonly diagnostics: readonly string[];
}

/** Settings that can neither run something, nor loosen a rule, nor lead elsewhere: a stranger's project may have them. */
const UNTRUSTED_KEYS: ReadonlySet<string> = new Set(["$schema", "thinkingLevel", "retry"]);

/** Command line above project above user. A file that cannot be read is a diagnostic and counts as empty. */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const { files, userPath, projectPath, isProjectTrusted, cwd, homeDirectory, overrides = {} } = options;
  const diagnostics: string[] = [];
  const user = await readSettings(files, userPath, diagnostics);
  const project = await readSettings(files, projectPath, diagnostics);
  const counted = isProjectTrusted ? project : onlyUntrusted(project);
  const waiting = Object.keys(project).filter((key) => !Object.hasOwn(counted, key));
  if (waiting.length > 0) {
    diagnostics.push(
      `${projectPath}: ${waiting.join(", ")} ${waiting.length === 1 ? "counts" : "count"} only once this project is trusted.`,
    );
  }
  const from = (path: string | undefined, own: Settings) =>
    path === undefined ? own : withAbsoluteFolders(own, { base: dirname(path), homeDirectory });
  const layers = [
    from(userPath, user),
    ownRules(user, cwd),
    from(projectPath, withoutProjects(counted)),
    overrides,
  ];
  return { settings: withoutProjects(mergeSettings(...layers)), user, diagnostics };
}

/** What the user allowed or forbade in this project. */
function ownRules({ permissions }: Settings, cwd: string | undefined): Settings {
  const rules = cwd === undefined ? undefined : new Map(Object.entries(permissions?.projects ?? {})).get(cwd);
  return rules === undefined ? {} : { permissions: rules };
}

function withoutProjects({ permissions, ...rest }: Settings): Settings {
  if (permissions === undefined) return rest;
  const { projects: _, ...counted } = permissions;
  return { ...rest, permissions: counted };
}

async function readSettings(
  files: Pick<ConfigFiles, "read">,
  path: string | undefined,
  diagnostics: string[],
): Promise<Settings> {
  if (path === undefined) return {};
  try {
    const text = await files.read(path);
    if (text === undefined || text.trim() === "") return {};
    const checked = await checkSettings(await parseJsonc(text), path);
    diagnostics.push(...checked.diagnostics);
    return checked.settings;
  } catch (error) {
    diagnostics.push(`${path} is not used: ${messageOf(error)}.`);
    return {};
  }
}

function onlyUntrusted(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => UNTRUSTED_KEYS.has(key)));
}
