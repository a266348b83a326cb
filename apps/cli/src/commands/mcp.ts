import { join } from "node:path";
import {
  createLocalConfigFiles,
  createLocalEnvironment,
  createMcpConnector,
  isStdio,
  loadMcpServers,
  type McpServerConfig,
  saveMcpServer,
} from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { FOLDER } from "../places.ts";
import { jsonLine } from "../render/json-line.ts";
import { tableLines } from "../render/table.ts";
import { inertLine } from "../render/terminal-text.ts";
import { loadSetup } from "../setup.ts";
import { type McpFile, mcpFiles } from "../user-extensions.ts";
import { type CommandVerb, runVerb, type VerbCommand, verbLines } from "./command-verb.ts";

const VERBS: Readonly<Record<string, CommandVerb>> = {
  list: {
    syntax: "list",
    help: "the servers that are configured; none is started",
    words: [0, 0],
    run: list,
  },
  add: {
    syntax: "add <name> <url> | <name> -- <command> [args]",
    help: "add a server to your mcp.json",
    words: [2, Number.POSITIVE_INFINITY],
    run: add,
  },
  remove: { syntax: "remove <name>", help: "take a server out again", words: [1, 1], run: remove },
  test: {
    syntax: "test [name]",
    help: "start the servers, or one, and list their tools",
    words: [0, 1],
    run: testServers,
  },
};

const COMMAND: VerbCommand = { name: "mcp", verbs: VERBS, fallback: "list" };

/** `coppice mcp VERB`; with `--mode json` one JSON line per record. */
export function runMcpCommand(context: CliContext): Promise<number> {
  return runVerb(context, COMMAND);
}

/** The text of `coppice mcp --help`. */
export function mcpHelpText(): string {
  return [
    "coppice mcp: servers that give the agent tools",
    "",
    ...verbLines(COMMAND),
    "",
    "With --project: the mcp.json of this project instead of yours; it counts once the project is trusted.",
    "--header 'Authorization: Bearer $TOKEN' and --env 'NAME=$VALUE' go with `add`; $NAME is read when a server starts.",
    "",
  ].join("\n");
}

interface Configured {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly source: McpFile["source"];
}

async function list(context: CliContext): Promise<number> {
  const { args, stdout, stderr } = context;
  const servers = await configured(context);
  if (args.flags.mode === "json") {
    for (const { name, config, source } of servers)
      await stdout.write(jsonLine(factsOf(name, config, source)));
    return 0;
  }
  if (servers.length === 0) await stderr.write("No MCP servers; `coppice mcp add` adds one.\n");
  const rows = servers.map(({ name, config, source }) => [
    inertLine(name, 60),
    source,
    config.enabled === false ? "off" : "",
    inertLine(targetOf(config), 200),
  ]);
  if (rows.length > 0) await stdout.write(`${tableLines(rows).join("\n")}\n`);
  return 0;
}

async function add(
  context: CliContext,
  [name = "", target = "", ...rest]: readonly string[],
): Promise<number> {
  const { header, env } = context.args.flags;
  const isAddress = /^https?:\/\//.test(target);
  if (isAddress ? rest.length > 0 || env !== undefined : header !== undefined) {
    throw new CliError("usage", isAddress ? "An address takes --header only" : "A command takes --env only", {
      advice: "Use `coppice mcp add <name> <url>` or `coppice mcp add <name> -- <command> [args]`.",
    });
  }
  const config: McpServerConfig = isAddress
    ? { type: "http", url: target, ...(header === undefined ? {} : { headers: pair(header, ":") }) }
    : { command: target, args: [...rest], ...(env === undefined ? {} : { env: pair(env, "=") }) };
  const file = fileToChange(context);
  await saveMcpServer(createLocalConfigFiles(), { ...file, name, config });
  await context.stdout.write(
    `${inertLine(name, 60)} is added to ${inertLine(file.path, 200)}; \`coppice mcp test ${inertLine(name, 60)}\` tries it.\n`,
  );
  return 0;
}

async function remove(context: CliContext, [name = ""]: readonly string[]): Promise<number> {
  const files = createLocalConfigFiles();
  const file = fileToChange(context);
  const { servers } = await loadMcpServers({ files, configPaths: [file.path] });
  if (!servers.has(name)) {
    throw new CliError("usage", `${file.path} has no server "${name}"`, {
      advice: "`coppice mcp list` shows what there is.",
    });
  }
  await saveMcpServer(files, { ...file, name, config: undefined });
  await context.stdout.write(`${inertLine(name, 60)} is removed.\n`);
  return 0;
}

/** Starts servers one by one. The exit code is 1 when one of them fails. */
async function testServers(context: CliContext, [wanted]: readonly string[]): Promise<number> {
  const { stdout, stderr, stop, environment, cwd } = context;
  const servers = (await configured(context)).filter(({ name }) => wanted === undefined || name === wanted);
  if (wanted !== undefined && servers.length === 0) {
    throw new CliError("usage", `There is no server "${wanted}"`, {
      advice: "`coppice mcp list` shows what there is.",
    });
  }
  const connect = createMcpConnector({ cwd, variable: environment.get, fetch });
  const ignore = () => {};
  let failures = 0;
  for (const { name, config } of servers) {
    try {
      const request = { name, config, signal: stop.signal, onToolsChanged: ignore, onLost: ignore };
      const connection = await connect(request);
      await connection.close();
      const tools = connection.tools.map((tool) => inertLine(tool.name, 80));
      await stdout.write(
        context.args.flags.mode === "json"
          ? jsonLine({ name, tools })
          : `${inertLine(name, 60)}: ready, ${tools.length} tools: ${tools.join(", ")}\n`,
      );
    } catch (error) {
      failures++;
      const reason = error instanceof Error ? error.message : String(error);
      await stderr.write(`coppice: ${inertLine(`${name}: ${reason}`, 600)}\n`);
    }
  }
  return failures === 0 ? 0 : 1;
}

async function configured(context: CliContext): Promise<readonly Configured[]> {
  const { cwd, stderr } = context;
  const { files } = createLocalEnvironment({ environmentVariables: {} });
  const setup = await loadSetup({ context, cwd, files });
  const found = new Map<string, Configured>();
  const notices = [...setup.notices];
  for (const { path, source } of mcpFiles({ context, setup, cwd })) {
    const loaded = await loadMcpServers({ files: createLocalConfigFiles(), configPaths: [path] });
    notices.push(...loaded.diagnostics);
    for (const [name, config] of loaded.servers) {
      if (!found.has(name)) found.set(name, { name, config, source });
    }
  }
  for (const notice of notices) await stderr.write(`coppice: ${inertLine(notice, 400)}\n`);
  return [...found.values()];
}

function fileToChange({ args, cwd, places }: CliContext): {
  readonly path: string;
  readonly isPrivate: boolean;
} {
  return args.flags.project === true
    ? { path: join(cwd, FOLDER, "mcp.json"), isPrivate: false }
    : { path: join(places.userDirectory, "mcp.json"), isPrivate: true };
}

function pair(text: string, separator: string): Readonly<Record<string, string>> {
  const at = text.indexOf(separator);
  if (at < 1) throw new CliError("usage", `Write it as NAME${separator}VALUE`);
  return { [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

/** Without the values of headers and variables: they may be secrets. */
function factsOf(name: string, config: McpServerConfig, source: McpFile["source"]) {
  const isEnabled = config.enabled !== false;
  return isStdio(config)
    ? { name, source, isEnabled, command: config.command, args: config.args ?? [] }
    : { name, source, isEnabled, url: config.url };
}

function targetOf(config: McpServerConfig): string {
  return isStdio(config) ? [config.command, ...(config.args ?? [])].join(" ") : config.url;
}
