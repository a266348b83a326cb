import { THINKING_LEVELS } from "@coppice/ai";
import {
  createLocalConfigFiles,
  PERMISSION_MODES,
  type PermissionMode,
  saveSetting,
} from "@coppice/coding-agent";
import { settingWarning } from "../../../setting-warning.ts";
import { AUTO_THEME } from "../theme/load-theme.ts";
import { BUILTIN_THEMES } from "../theme/themes.ts";
import type { CommandHost, SlashCommand } from "./command.ts";

/** A setting that can be changed here; every other one is a line in the file. */
interface Row {
  readonly path: readonly string[];
  readonly help: string;
  /** What it may be; undefined = any text, asked for. */
  readonly values?: readonly string[];
  /** From text to what the file holds. */
  readonly parse?: (text: string) => unknown;
  /** Makes it count at once; absent = from the next start or `/reload`. */
  readonly apply?: (host: CommandHost, value: string) => void | Promise<void>;
}

const YES_NO = ["true", "false"];
const asBoolean = (text: string) => text === "true";

const ROWS: readonly Row[] = [
  {
    path: ["theme"],
    help: "colours; themes of your own lie in themes/",
    apply: (host, value) => host.useTheme(value),
  },
  { path: ["model"], help: "the model of new sessions, as provider/model" },
  { path: ["thinkingLevel"], help: "how much the model thinks in new sessions", values: THINKING_LEVELS },
  {
    path: ["permissions", "mode"],
    help: "what tools may do",
    values: PERMISSION_MODES,
    apply(host, value) {
      host.permissions.mode = value as PermissionMode;
    },
  },
  { path: ["compaction", "enabled"], help: "compact automatically", values: YES_NO, parse: asBoolean },
  {
    path: ["compaction", "threshold"],
    help: "share of the window at which it compacts, up to 1",
    parse: Number,
  },
  { path: ["compaction", "summaryModel"], help: "the model that writes summaries, as provider/model" },
  { path: ["retry", "enabled"], help: "try transient failures again", values: YES_NO, parse: asBoolean },
  { path: ["enableSkillCommands"], help: "offer /skill:name", values: YES_NO, parse: asBoolean },
];

/** Takes a setting out of the file. */
const DEFAULT = "(default)";

export const settingsCommand: SlashCommand = {
  name: "settings",
  help: "change the settings of all your sessions",
  async run(host) {
    const chosen = await host.pick({
      title: [`Settings in ${host.places.settingsFile}`],
      choices: ROWS.map(({ path, help }) => ({
        value: path.join("."),
        label: `${path.join(".")}  ${shown(valueAt(host.setup.settings, path))}`,
        description: help,
      })),
    });
    const row = ROWS.find(({ path }) => path.join(".") === chosen);
    if (row !== undefined) await change(host, row);
  },
};

async function change(host: CommandHost, { path, help, values, parse, apply }: Row): Promise<void> {
  const name = path.join(".");
  const offered = name === "theme" ? [AUTO_THEME, ...Object.keys(BUILTIN_THEMES)] : values;
  const current = shown(valueAt(host.setup.settings, path));
  const value =
    offered === undefined
      ? await host.input({ title: [`${name}: ${help}; empty for the default`], text: current })
      : await host.pick({
          title: [`${name}: ${help}`],
          choices: [...offered, DEFAULT].map((text) => ({ value: text, label: text })),
          selected: current,
        });
  if (value === undefined) return;
  const isDefault = value === DEFAULT || value.trim() === "";
  const setting = { path, value: isDefault ? undefined : (parse?.(value) ?? value.trim()) };
  await saveSetting(createLocalConfigFiles(), host.places.settingsFile, setting);
  if (!isDefault) await apply?.(host, value);
  const when =
    apply === undefined || isDefault ? "It counts from the next start, or after /reload." : "It counts now.";
  host.notice(`${name} is ${isDefault ? "the default" : value} in ${host.places.settingsFile}. ${when}`);
  const { userDirectory } = host.places;
  const warning = await settingWarning({ ...setting, known: host.known, userDirectory });
  // A theme that counts now has told its own.
  if (warning !== undefined && name !== "theme") host.notice(warning, "warning");
}

function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    settings,
  );
}

function shown(value: unknown): string {
  return value === undefined ? "" : String(value);
}
