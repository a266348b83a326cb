import { createHash } from "node:crypto";
import { join } from "node:path";
import { builtinProviders, createClient, type ModelChoice, modelName, type ThinkingLevel } from "@coppice/ai";
import { nodePost } from "@coppice/ai/node-post";
import {
  type AgentHarness,
  createCodingAgent,
  createLocalConfigFiles,
  createLocalEnvironment,
  type Environment,
  type McpServers,
  PermissionGuard,
  type PermissionMode,
  type Settings,
  type SnapshotOptions,
  savePermissionRule,
} from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { commandExpansion } from "./command-expansion.ts";
import { type KnownModels, loadKnownModels } from "./known-models.ts";
import { chooseModel } from "./model-choice.ts";
import type { Places } from "./places.ts";
import { inertLine } from "./render/terminal-text.ts";
import { readServerFlags } from "./server-model.ts";
import { type ChosenSession, chooseSession, requireDirectory } from "./session-choice.ts";
import { loadSetup, type Setup } from "./setup.ts";
import { userExtensions } from "./user-extensions.ts";

/** Loads what the flags, the environment, `auth.json` and `models.json` say about models. */
export function knownModelsOf({ args, environment, places, stop }: CliContext): Promise<KnownModels> {
  const server = readServerFlags(args.flags);
  return loadKnownModels({ environment, places, server, onRenewal: stop.waitFor });
}

/** Where tools and a person's own commands run: without the keys, and ended with the program. */
export function localEnvironmentOf(
  { environment, stop }: Pick<CliContext, "environment" | "stop">,
  known: Pick<KnownModels, "keyVariables">,
) {
  const local = createLocalEnvironment({ environmentVariables: environment.forCommands(known.keyVariables) });
  stop.onExit(() => local.shell.killAll());
  return local;
}

/** What the files of the user and of the project say about working in `cwd`. */
export function setupOf(context: CliContext, known: KnownModels, cwd: string): Promise<Setup> {
  return loadSetup({ context, cwd, files: localEnvironmentOf(context, known).files });
}

export interface BuildAgentOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly choice: ModelChoice;
  readonly chosen: ChosenSession;
  readonly setup: Setup;
  /** What a person chose in this run; default: what flags and settings say. */
  readonly permissionMode?: PermissionMode | undefined;
  /** A run that is there goes on: an extension of the command line that broke is told, and ends nothing. */
  readonly isGoingOn?: true;
}

/** An agent, and what stands around it. */
export interface BuiltAgent {
  readonly agent: AgentHarness;
  /** Its mode may change at any time. */
  readonly permissions: PermissionGuard;
  readonly setup: Setup;
  /** Absent where there are none. */
  readonly mcpServers?: McpServers;
}

/** Wires client, tools, environment, settings and session into an agent: the one place that does, for every mode. */
export async function buildAgent(options: BuildAgentOptions): Promise<BuiltAgent> {
  const { context, known, choice, chosen, setup } = options;
  const { args, places } = context;
  const { settings } = setup;
  const local = localEnvironmentOf(context, known);
  const permissions = permissionsOf(options, local);
  const { compaction, retry, flushPolicy } = settings;
  const { stream } = clientOf(known);
  const activeToolNames = activeTools(options);
  const thinkingLevel = thinkingLevelOf(options);
  const mcp: { mcpServers?: McpServers } = {};
  const user = await userExtensions({
    ...{ context, setup, cwd: chosen.cwd, files: local.files },
    isStrict: options.isGoingOn !== true,
    onMcpServers(servers) {
      mcp.mcpServers = servers;
    },
  });
  const making = createCodingAgent({
    cwd: chosen.cwd,
    model: choice.model,
    streamFunction: (request) => stream({ ...settings.request, ...request }),
    session: chosen.session,
    repo: chosen.repo,
    environment: local,
    userDirectory: places.userDirectory,
    contextFiles: setup.contextFiles,
    ...(args.flags["no-session"] === true ? {} : { snapshots: snapshotsOf(chosen.cwd, places, settings) }),
    permissions,
    skills: setup.skills,
    extensions: [commandExpansion(setup, local.files), ...user.extensions],
    ...(context.person.dialogs === undefined ? {} : { dialogs: context.person.dialogs }),
    modelFor: async (name) => (await known.list()).find((model) => modelName(model) === name),
    ...(compaction === undefined ? {} : { compaction }),
    ...(retry === undefined ? {} : { retry }),
    ...(flushPolicy === undefined ? {} : { flushPolicy }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(activeToolNames === undefined ? {} : { activeToolNames }),
  });
  const agent = await making.finally(user.endWaiting);
  try {
    user.requireNamed();
  } catch (error) {
    await agent.dispose();
    throw error;
  }
  if (args.flags.name !== undefined) await chosen.session.appendSessionName(args.flags.name);
  return { agent, permissions, setup, ...mcp };
}

const MEBIBYTE = 1024 ** 2;

/** In a folder whose name no other directory has; the journals inside say whose files it holds. */
function snapshotsOf(
  cwd: string,
  { snapshotsDirectory }: Places,
  { snapshots: { maxAgeDays, maxMegabytes } = {} }: Settings,
): SnapshotOptions {
  const name = createHash("sha256").update(cwd).digest("hex").slice(0, 16);
  return {
    directory: join(snapshotsDirectory, name),
    projectsDirectory: snapshotsDirectory,
    limits: {
      ...(maxAgeDays === undefined ? {} : { maxAgeDays }),
      ...(maxMegabytes === undefined ? {} : { maxBytes: maxMegabytes * MEBIBYTE }),
    },
  };
}

function clientOf(known: KnownModels) {
  return createClient({
    providers: {
      ...builtinProviders,
      "coppice-demo": async () => (await import("@coppice/coding-agent/demo")).createDemoProvider(),
    },
    post: nodePost,
    apiKeyFor: known.keyFor,
    // A relay may answer with another model than was asked for; the user's own prices count before the catalogue's.
    costFor: async (provider, id) => (await known.list(provider)).find((model) => model.id === id)?.cost,
  });
}

function permissionsOf(
  { context, chosen, setup, permissionMode }: BuildAgentOptions,
  { files, homeDirectory }: Environment,
): PermissionGuard {
  const { person, places } = context;
  const { mode, ...rules } = setup.settings.permissions ?? {};
  const { cwd } = chosen;
  const saved = { files: createLocalConfigFiles(), userPath: places.settingsFile, cwd };
  return new PermissionGuard({
    cwd,
    mode: permissionMode ?? mode ?? person.permissionMode,
    ...{ rules, files, homeDirectory, userDirectory: places.userDirectory },
    save: (rule) => savePermissionRule({ ...saved, ...rule }),
    ...(person.permission === undefined ? {} : { ask: person.permission }),
  });
}

/** What is said for this run; a session that goes on keeps its own level before that of the settings. */
function thinkingLevelOf({ context, choice, chosen, setup }: BuildAgentOptions): ThinkingLevel | undefined {
  // The parser allows the known levels only.
  const said = (context.args.flags.thinking as ThinkingLevel | undefined) ?? choice.thinkingLevel;
  return said ?? (chosen.isResumed ? undefined : setup.settings.thinkingLevel);
}

/** The same for tools. Unknown names are refused by the agent. */
function activeTools({ context, chosen, setup }: BuildAgentOptions): readonly string[] | undefined {
  const { tools } = context.args.flags;
  if (tools !== undefined) return toolNames(tools);
  return chosen.isResumed ? undefined : setup.settings.tools;
}

/** An agent, and what stands around it. */
export interface ComposedAgent extends BuiltAgent {
  /** The models that it could change to. */
  readonly known: KnownModels;
  /** What standard error was told. */
  readonly notices: readonly string[];
}

/** The agent of a run that nobody can be asked about: session and model from the flags. Notices go to standard error. */
export async function composeWithModels(context: CliContext): Promise<ComposedAgent> {
  const known = await knownModelsOf(context);
  // A missing model is told before a session is touched.
  const pattern = context.args.flags.model;
  const asked = pattern === undefined ? undefined : await chooseModel({ known, pattern });
  const chosen = await chooseSession(context);
  try {
    requireDirectory(chosen);
    const setup = await setupOf(context, known, chosen.cwd);
    const sessionModel = chosen.isResumed ? (await chosen.session.buildContext()).model : undefined;
    const settingsModel = setup.settings.model;
    const choice = asked ?? (await chooseModel({ known, sessionModel, settingsModel }));
    const notices = [...modelNotices(known), ...setup.notices, ...chosen.notices];
    for (const notice of notices) await context.stderr.write(`coppice: ${inertLine(notice, 400)}\n`);
    return { ...(await buildAgent({ context, known, choice, chosen, setup })), known, notices };
  } catch (error) {
    await chosen.session.close();
    throw error;
  }
}

/** What a person should know about the files that models and keys come from, one line each. */
export function modelNotices(known: KnownModels): readonly string[] {
  return known.fileError === undefined ? known.fileNotices : [known.fileError.message, ...known.fileNotices];
}

/** The names of `--tools`; `none` is the empty list. */
function toolNames(list: string): readonly string[] {
  if (list.trim() === "none") return [];
  const names = list.split(",").map((name) => name.trim());
  if (names.includes("")) throw new CliError("usage", `--tools is a list of names, not "${list}"`);
  return names;
}
