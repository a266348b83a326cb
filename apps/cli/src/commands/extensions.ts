import {
  createLocalConfigFiles,
  createLocalEnvironment,
  ExtensionPackages,
  findExtensions,
  loadSettings,
  localNpm,
  parsePackageSpec,
  saveSetting,
} from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { jsonLine } from "../render/json-line.ts";
import { tableLines } from "../render/table.ts";
import { inertLine } from "../render/terminal-text.ts";
import { loadSetup } from "../setup.ts";
import { extensionSearch, extensionsDirectory } from "../user-extensions.ts";
import { type CommandVerb, runVerb, type VerbCommand, verbLines } from "./command-verb.ts";

const VERBS: Readonly<Record<string, CommandVerb>> = {
  list: {
    syntax: "list",
    help: "what is loaded here, and where it comes from; nothing is run",
    words: [0, 0],
    run: list,
  },
  install: {
    syntax: "install <package|path>",
    help: "install a package with npm, without its scripts, and use it",
    words: [1, 1],
    run: install,
  },
  remove: {
    syntax: "remove <package>",
    help: "take a package out again",
    words: [1, 1],
    run: remove,
  },
};

const COMMAND: VerbCommand = { name: "extensions", verbs: VERBS, fallback: "list" };

/** `coppice extensions VERB`; with `--mode json` one JSON line per record. */
export function runExtensionsCommand(context: CliContext): Promise<number> {
  return runVerb(context, COMMAND);
}

/** The text of `coppice extensions --help`. */
export function extensionsHelpText(): string {
  return [
    "coppice extensions: code that adds to the agent",
    "",
    ...verbLines(COMMAND),
    "",
    "Files and folders in the user's and in a trusted project's extensions folder are loaded as they are; packages and",
    "other paths are named by the setting `extensions`. Extensions run with all your rights: install what you trust.",
    "",
  ].join("\n");
}

async function list(context: CliContext): Promise<number> {
  const { args, cwd, stdout, stderr } = context;
  const { files } = createLocalEnvironment({ environmentVariables: {} });
  const setup = await loadSetup({ context, cwd, files });
  const { found, diagnostics } = await findExtensions(extensionSearch({ context, setup, cwd, files }));
  const versions = new Map((await packagesOf(context).list()).map(({ name, version }) => [name, version]));
  for (const notice of [...setup.notices, ...diagnostics.map(({ message }) => message)])
    await stderr.write(`coppice: ${inertLine(notice, 400)}\n`);
  if (args.flags.mode === "json") {
    for (const { name, path, source } of found)
      await stdout.write(jsonLine({ name, path, source, version: versions.get(name) }));
    return 0;
  }
  if (found.length === 0) await stderr.write("No extensions.\n");
  const rows = found.map(({ name, path, source }) => [
    inertLine(name, 80),
    versions.get(name) ?? "",
    source,
    inertLine(path, 200),
  ]);
  if (rows.length > 0) await stdout.write(`${tableLines(rows).join("\n")}\n`);
  return 0;
}

async function install(context: CliContext, [text = ""]: readonly string[]): Promise<number> {
  const { cwd, environment, stdout, stop } = context;
  const spec = parsePackageSpec(text, { cwd, homeDirectory: environment.homeDirectory });
  const { name, version } = await packagesOf(context).install(spec, stop.signal);
  await changeList(context, (names) => (names.includes(name) ? names : [...names, name]));
  await stdout.write(`${name} ${version} is installed; it counts from the next start, or after /reload.\n`);
  return 0;
}

async function remove(context: CliContext, [name = ""]: readonly string[]): Promise<number> {
  await packagesOf(context).remove(name, context.stop.signal);
  await changeList(context, (names) => names.filter((one) => one !== name));
  await context.stdout.write(`${inertLine(name, 214)} is removed.\n`);
  return 0;
}

function packagesOf({ places, environment }: CliContext): ExtensionPackages {
  const { files } = createLocalEnvironment({ environmentVariables: {} });
  const directory = extensionsDirectory(places);
  return new ExtensionPackages({ directory, files, npm: localNpm(environment.forCommands()) });
}

/** The user's own setting `extensions`; the project's stays as it is. */
async function changeList(
  { places }: CliContext,
  change: (names: readonly string[]) => readonly string[],
): Promise<void> {
  const files = createLocalConfigFiles();
  const path = places.settingsFile;
  const { user } = await loadSettings({ files, userPath: path, isProjectTrusted: false });
  const before = user.extensions ?? [];
  const after = change(before);
  if (after === before) return;
  await saveSetting(files, path, { path: ["extensions"], value: after.length === 0 ? undefined : after });
}
