import { dirname } from "node:path";
import type { AgentHarness, PermissionMode } from "@coppice/coding-agent";
import { JsonlRepo, type Session } from "@coppice/session";
import type { CliContext } from "./cli-context.ts";
import { type BuiltAgent, buildAgent, knownModelsOf, modelNotices, setupOf } from "./compose.ts";
import type { KnownModels } from "./known-models.ts";
import { chooseSession } from "./session-choice.ts";
import type { Setup } from "./setup.ts";
import { toolsDirectory } from "./tools-directory.ts";

export interface ReopenOptions {
  readonly context: CliContext;
  readonly agent: AgentHarness;
  /** What the agent was made of. */
  readonly before: FilesRead;
  /** What the person chose in this run, which goes on. */
  readonly permissionMode: PermissionMode;
  /** Disposes of the agent, once the files are read. */
  readonly leave: () => Promise<unknown>;
}

/** What an agent is made of that comes from files. */
interface FilesRead {
  readonly known: KnownModels;
  readonly setup: Setup;
}

export interface ReopenedAgent extends BuiltAgent {
  readonly known: KnownModels;
  readonly notices: readonly string[];
  /** Why it is made of what the files said before: no agent could be made of what they say now. */
  readonly failure?: unknown;
}

/**
 * An agent on the same session, with everything that is read from files read anew.
 *
 * Where a file cannot be read, that of the session included, it throws and nothing has changed. A session that is lost
 * later, while no agent holds it, can be reopened by another call.
 */
export async function reopenAgent(options: ReopenOptions): Promise<ReopenedAgent> {
  const { agent, before, leave } = options;
  const context = sameSession(options);
  const known = await knownModelsOf(context);
  const { session } = agent;
  const cwd = isStored(agent) ? await toolsDirectory(session.cwd, context.cwd) : context.cwd;
  const setup = await setupOf(context, known, cwd);
  if (isStored(agent)) await requireOpenable(session);
  await leave();
  try {
    const built = await build(options, context, { known, setup });
    return { ...built, known, notices: [...modelNotices(known), ...setup.notices] };
  } catch (failure) {
    return { ...(await build(options, context, before)), known: before.known, notices: [], failure };
  }
}

/** Whether another agent can go on where this one is; what is in memory only would be lost. */
export function isReopenable({ session }: AgentHarness): boolean {
  return session.path !== undefined || session.getLeafId() === null;
}

async function build(
  { agent, permissionMode }: ReopenOptions,
  context: CliContext,
  { known, setup }: FilesRead,
): Promise<BuiltAgent> {
  const chosen = await chooseSession(context);
  try {
    const choice = { model: agent.model, thinkingLevel: agent.thinkingLevel };
    return await buildAgent({ context, known, choice, chosen, setup, permissionMode, isGoingOn: true });
  } catch (error) {
    await chosen.session.close();
    throw error;
  }
}

/** Looks before the agent lets go of the session: there is no way back to it then. */
async function requireOpenable({ id, path = id }: Session): Promise<void> {
  const repo = new JsonlRepo({ directory: dirname(path) });
  await (await repo.open(path, { readOnly: true })).close();
}

/** The flags as if the session had been named; what was chosen since the start goes before what they say. */
function sameSession({ context, agent }: ReopenOptions): CliContext {
  const {
    continue: _,
    resume: __,
    session: ___,
    fork: ____,
    name: _____,
    thinking: ______,
    ...flags
  } = context.args.flags;
  if (!isStored(agent)) return { ...context, args: { ...context.args, flags } };
  const { session } = agent;
  const { tools: _______, ...others } = flags;
  return { ...context, args: { ...context.args, flags: { ...others, session: session.path ?? session.id } } };
}

/** A session without a prompt has no file: the next one is as empty. */
function isStored(agent: AgentHarness): boolean {
  return isReopenable(agent) && agent.session.getLeafId() !== null;
}
