import type { AgentMessage } from "@coppice/agent";
import type { AgentHarness, PermissionMode } from "@coppice/coding-agent";
import type { Session } from "@coppice/session";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { type BuiltAgent, buildAgent, setupOf } from "./compose.ts";
import type { KnownModels } from "./known-models.ts";
import { chooseModel } from "./model-choice.ts";
import { type ChosenSession, chooseSession, forkedSession } from "./session-choice.ts";

/** Where to go on: in an empty session, in a stored one (path, id or its beginning), or in a fork that is open. */
export type OtherSession =
  | { readonly kind: "new" }
  | { readonly kind: "stored"; readonly ref: string }
  | { readonly kind: "fork"; readonly session: Session };

export interface OtherSessionOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  /** The agent that is left; its model goes on where the other session names none. */
  readonly agent: AgentHarness;
  readonly other: OtherSession;
  /** What a person chose in this run, which goes on. */
  readonly permissionMode?: PermissionMode;
}

/** An agent on another session, and what a person should know about it. */
interface OtherAgent extends BuiltAgent {
  readonly notices: readonly string[];
}

/** The same, and what was queued in the session that was left. */
export interface MovedAgent extends OtherAgent {
  readonly queued: readonly AgentMessage[];
}

/** Goes on in another session. Where it cannot be opened, the agent of before goes on as it was. */
export function moveToSession(options: OtherSessionOptions): Promise<MovedAgent> {
  return options.agent.replace(() => openOtherSession(options));
}

async function openOtherSession({
  context,
  known,
  agent,
  other,
  permissionMode,
}: OtherSessionOptions): Promise<OtherAgent> {
  const bare = withoutSessionFlags(context);
  const chosen = await choose(bare, agent, other);
  try {
    const stored = other.kind === "stored" ? (await chosen.session.buildContext()).model : undefined;
    const choice =
      stored === undefined
        ? { model: agent.model, thinkingLevel: agent.thinkingLevel }
        : await chooseModel({ known, sessionModel: stored });
    const setup = await setupOf(bare, known, chosen.cwd);
    const built = await buildAgent({
      ...{ context: bare, known, choice, chosen, setup, permissionMode },
      isGoingOn: true,
    });
    return { ...built, notices: [...setup.notices, ...chosen.notices] };
  } catch (error) {
    await chosen.session.close();
    throw error;
  }
}

function choose(context: CliContext, agent: AgentHarness, other: OtherSession): Promise<ChosenSession> {
  if (other.kind === "fork") return forkedSession(context, other.session);
  if (other.kind === "new") return chooseSession(context);
  const { id, path } = agent.session;
  if (other.ref === path || other.ref === id) {
    throw new CliError("usage", `The session ${id} is the one that is open`, {
      advice: "Choose another one.",
    });
  }
  const { "no-session": _, ...flags } = context.args.flags;
  return chooseSession({ ...context, args: { ...context.args, flags: { ...flags, session: other.ref } } });
}

/** What was said on the command line about the first session does not hold for another one. */
function withoutSessionFlags(context: CliContext): CliContext {
  const {
    session: _,
    continue: __,
    fork: ___,
    resume: ____,
    name: _____,
    thinking: ______,
    ...flags
  } = context.args.flags;
  return { ...context, args: { ...context.args, flags } };
}
