import type { AgentHarness, PermissionMode } from "@coppice/coding-agent";
import type { CliContext } from "../../cli-context.ts";
import { type BuiltAgent, buildAgent, knownModelsOf, modelNotices, setupOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { chooseSession } from "../../session-choice.ts";

export interface ReopenOptions {
  readonly context: CliContext;
  /** Has been disposed of. */
  readonly agent: AgentHarness;
  /** What the person chose in this run, which goes on. */
  readonly permissionMode: PermissionMode;
}

export interface ReopenedAgent extends BuiltAgent {
  readonly known: KnownModels;
  readonly notices: readonly string[];
}

/** An agent on the same session, with everything that is read from files read anew. */
export async function reopenAgent({ context, agent, permissionMode }: ReopenOptions): Promise<ReopenedAgent> {
  const { session } = agent;
  const { continue: _, resume: __, session: ___, fork: ____, name: _____, ...flags } = context.args.flags;
  // A session without a prompt has no file: the next one is as empty.
  const isStored = isReopenable(agent) && session.getLeafId() !== null;
  const args = {
    ...context.args,
    flags: isStored ? { ...flags, session: session.path ?? session.id } : flags,
  };
  const same = { ...context, args };
  const known = await knownModelsOf(same);
  const chosen = await chooseSession(same);
  try {
    const setup = await setupOf(same, known, chosen.cwd);
    const choice = { model: agent.model, thinkingLevel: agent.thinkingLevel };
    const built = await buildAgent({
      ...{ context: same, known, choice, chosen, setup, permissionMode },
      isGoingOn: true,
    });
    return { ...built, known, notices: [...modelNotices(known), ...setup.notices] };
  } catch (error) {
    await chosen.session.close();
    throw error;
  }
}

/** Whether another agent can go on where this one is; what is in memory only would be lost. */
export function isReopenable({ session }: AgentHarness): boolean {
  return session.path !== undefined || session.getLeafId() === null;
}
