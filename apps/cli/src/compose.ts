import { builtinProviders, createClient, type ModelChoice, type ThinkingLevel } from "@coppice/ai";
import { type AgentHarness, createCodingAgent, createLocalEnvironment } from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { type KnownModels, loadKnownModels } from "./known-models.ts";
import { chooseModel } from "./model-choice.ts";
import { inertLine } from "./render/terminal-text.ts";
import { readServerFlags } from "./server-model.ts";
import { type ChosenSession, chooseSession, requireDirectory } from "./session-choice.ts";

/** Loads what the flags, the environment and `models.json` say about models. */
export function knownModelsOf({ args, environment, places }: CliContext): Promise<KnownModels> {
  return loadKnownModels({ environment, modelsFile: places.modelsFile, server: readServerFlags(args.flags) });
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

export interface BuildAgentOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly choice: ModelChoice;
  readonly chosen: ChosenSession;
}

/** Wires client, tools, environment and session into an agent. */
export async function buildAgent({
  context,
  known,
  choice,
  chosen,
}: BuildAgentOptions): Promise<AgentHarness> {
  const { args, places } = context;
  const client = createClient({
    providers: {
      ...builtinProviders,
      "coppice-demo": async () => (await import("@coppice/coding-agent/demo")).createDemoProvider(),
    },
    apiKeyFor: known.keyFor,
  });
  // The parser allows the known levels only.
  const thinkingLevel = (args.flags.thinking as ThinkingLevel | undefined) ?? choice.thinkingLevel;
  const local = localEnvironmentOf(context, known);
  const agent = await createCodingAgent({
    cwd: chosen.cwd,
    model: choice.model,
    streamFunction: client.stream,
    session: chosen.session,
    repo: chosen.repo,
    environment: local,
    userDirectory: places.userDirectory,
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(args.flags.tools === undefined ? {} : { activeToolNames: toolNames(args.flags.tools) }),
  });
  if (args.flags.name !== undefined) await chosen.session.appendSessionName(args.flags.name);
  return agent;
}

/** The agent of a run that nobody can be asked about: session and model from the flags. Notices go to standard error. */
export async function composeAgent(context: CliContext): Promise<AgentHarness> {
  return (await composeWithModels(context)).agent;
}

/** An agent, and what stands around it. */
export interface ComposedAgent {
  readonly agent: AgentHarness;
  /** The models that it could change to. */
  readonly known: KnownModels;
  /** What standard error was told. */
  readonly notices: readonly string[];
}

/** The same agent, with the models that it could change to. */
export async function composeWithModels(context: CliContext): Promise<ComposedAgent> {
  const known = await knownModelsOf(context);
  // A missing model is told before a session is touched.
  const pattern = context.args.flags.model;
  const asked = pattern === undefined ? undefined : await chooseModel({ known, pattern });
  const chosen = await chooseSession(context);
  try {
    requireDirectory(chosen);
    const sessionModel = chosen.isResumed ? (await chosen.session.buildContext()).model : undefined;
    const choice = asked ?? (await chooseModel({ known, sessionModel }));
    const notices = noticesOf(known, chosen);
    for (const notice of notices) await context.stderr.write(`coppice: ${inertLine(notice, 400)}\n`);
    return { agent: await buildAgent({ context, known, choice, chosen }), known, notices };
  } catch (error) {
    await chosen.session.close();
    throw error;
  }
}

function noticesOf(known: KnownModels, chosen: ChosenSession): readonly string[] {
  const ofFile = known.fileError === undefined ? known.fileNotices : [known.fileError.message];
  return [...ofFile, ...chosen.notices];
}

/** The names of `--tools`; `none` is the empty list. Unknown names are refused by the agent. */
function toolNames(list: string): readonly string[] {
  if (list.trim() === "none") return [];
  const names = list.split(",").map((name) => name.trim());
  if (names.includes("")) throw new CliError("usage", `--tools is a list of names, not "${list}"`);
  return names;
}
