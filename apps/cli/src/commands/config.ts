import { join } from "node:path";
import { createLocalConfigFiles, loadSettings, type Settings, saveSetting } from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { knownModelsOf } from "../compose.ts";
import { FOLDER } from "../places.ts";
import { inertLine, inertText } from "../render/terminal-text.ts";
import { settingWarning } from "../setting-warning.ts";
import { type CommandVerb, runVerb, type VerbCommand, verbLines } from "./command-verb.ts";

const VERBS: Readonly<Record<string, CommandVerb>> = {
  list: {
    syntax: "list",
    help: "every setting of the file, one a line",
    words: [0, 0],
    run: list,
  },
  get: {
    syntax: "get <name>",
    help: "one setting, such as compaction.threshold",
    words: [1, 1],
    run: (context, [name = ""]) => get(context, name),
  },
  set: {
    syntax: "set <name> <value>",
    help: "change one: a text, or JSON for anything else",
    words: [2, 2],
    run: (context, [name = "", value = ""]) => save(context, name, parsedValue(value)),
  },
  unset: {
    syntax: "unset <name>",
    help: "take one out of the file",
    words: [1, 1],
    run: (context, [name = ""]) => save(context, name, undefined),
  },
  path: { syntax: "path", help: "where the file lies", words: [0, 0], run: tellPath },
};

const CONFIG: VerbCommand = { name: "config", verbs: VERBS, fallback: "list" };

/** `coppice config VERB [--project]`. */
export function runConfigCommand(context: CliContext): Promise<number> {
  return runVerb(context, CONFIG);
}

/** The text of `coppice config --help`. */
export function configHelpText(): string {
  return [
    "coppice config: look at settings, and change them",
    "",
    ...verbLines(CONFIG),
    "",
    "--project means the file of this project, which takes effect once the project is trusted.",
    "Comments and whatever else stands in a file stay as they are.",
    "",
  ].join("\n");
}

async function list(context: CliContext): Promise<number> {
  for (const [name, value] of flattened(await settingsOf(context))) {
    await context.stdout.write(`${inertLine(name, 200)} = ${inertText(JSON.stringify(value))}\n`);
  }
  return 0;
}

async function get(context: CliContext, name: string): Promise<number> {
  const value = pathOf(name).reduce<unknown>(fieldOf, await settingsOf(context));
  if (value === undefined) {
    throw new CliError("usage", `"${name}" is not set`, { advice: "`coppice config list` shows what is." });
  }
  await context.stdout.write(`${inertText(typeof value === "string" ? value : JSON.stringify(value))}\n`);
  return 0;
}

async function save(context: CliContext, name: string, value: unknown): Promise<number> {
  const path = pathOf(name);
  await saveSetting(createLocalConfigFiles(), fileOf(context), { path, value });
  const { userDirectory } = context.places;
  const known = { find: async (pattern: string) => (await knownModelsOf(context)).find(pattern) };
  const warning = await settingWarning({ path, value, userDirectory, known });
  if (warning !== undefined)
    await context.stderr.write(`coppice: It is saved, but: ${inertLine(warning, 400)}\n`);
  return 0;
}

async function tellPath(context: CliContext): Promise<number> {
  await context.stdout.write(`${inertLine(fileOf(context), 4096)}\n`);
  return 0;
}

/** What one file says; what is wrong in it goes to standard error. */
async function settingsOf(context: CliContext): Promise<Settings> {
  const { user, diagnostics } = await loadSettings({
    files: createLocalConfigFiles(),
    userPath: fileOf(context),
    isProjectTrusted: false,
  });
  for (const diagnostic of diagnostics)
    await context.stderr.write(`coppice: ${inertLine(diagnostic, 400)}\n`);
  return user;
}

function fileOf({ args, cwd, places }: CliContext): string {
  return args.flags.project === true ? join(cwd, FOLDER, "settings.json") : places.settingsFile;
}

/** `compaction.threshold` → both names. A model's name, which may hold dots, is written in quotes. */
function pathOf(name: string): readonly string[] {
  const parts = [...name.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (parts.length === 0) throw new CliError("usage", `"${name}" names no setting`);
  return parts;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** JSON where it is JSON, else the text itself. */
function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function flattened(value: unknown, prefix = ""): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[prefix, value]];
  return Object.entries(value).flatMap(([name, field]) => {
    const part = /[."]/.test(name) ? JSON.stringify(name) : name;
    return flattened(field, prefix === "" ? part : `${prefix}.${part}`);
  });
}
