import type { AgentMessage } from "@coppice/agent";
import { type AgentHarness, CodingAgentError, type HarnessListener, type Shell } from "@coppice/coding-agent";
import type { CliContext } from "../../cli-context.ts";
import { CliError } from "../../cli-error.ts";
import { type BuiltAgent, localEnvironmentOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { moveToSession, type OtherSession } from "../../other-session.ts";
import { isReopenable, reopenAgent } from "../../reopen-agent.ts";
import type { Questions } from "./questions.ts";

export interface AgentSeatOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly built: BuiltAgent;
  readonly questions: Questions;
  /** Hears the agent of the moment. */
  readonly listener: HarnessListener;
}

/** What came of reading the files anew. */
export interface Reloaded {
  /** Messages that were queued and are not sent. */
  readonly queued: readonly AgentMessage[];
  /** What was left out and why, one line each. */
  readonly notices: readonly string[];
}

/** The place of the agent: one sits there at a time, and whoever listens hears the one that does. */
export class AgentSeat {
  readonly context: CliContext;
  readonly questions: Questions;
  readonly #listener: HarnessListener;
  #known: KnownModels;
  #shell: Shell;
  #built: BuiltAgent;
  #leave: () => void;

  constructor({ context, known, built, questions, listener }: AgentSeatOptions) {
    this.context = context;
    this.#known = known;
    this.questions = questions;
    this.#shell = localEnvironmentOf(context, known).shell;
    this.#listener = listener;
    this.#built = built;
    this.#leave = built.agent.subscribe(listener);
  }

  get agent(): AgentHarness {
    return this.#built.agent;
  }

  get known(): KnownModels {
    return this.#known;
  }

  /** Where the user's own commands run. */
  get shell(): Shell {
    return this.#shell;
  }

  get permissions(): BuiltAgent["permissions"] {
    return this.#built.permissions;
  }

  get mcpServers(): BuiltAgent["mcpServers"] {
    return this.#built.mcpServers;
  }

  get setup(): BuiltAgent["setup"] {
    return this.#built.setup;
  }

  /**
   * Goes on in another session; when it cannot be opened, everything stays as it is. Resolves with the messages that were
   * queued and are not sent.
   */
  async moveTo(other: OtherSession): Promise<readonly AgentMessage[]> {
    const { context, known } = this;
    const { agent, permissions } = this.#built;
    const built = await moveToSession({ context, known, agent, other, permissionMode: permissions.mode });
    this.#sit(built);
    return built.queued;
  }

  /**
   * Reads everything anew that comes from files, and goes on in the same session. Where a file cannot be read, everything
   * stays as it is; where no agent can be made of what the files say, the agent goes on with what they said before.
   *
   * Throws `agent_busy`, `usage` for a session that is in memory only, and what the files make fail.
   */
  async reload(): Promise<Reloaded> {
    const { context } = this;
    const { agent, permissions, setup } = this.#built;
    requireReopenable(agent);
    let queued: readonly AgentMessage[] = [];
    const leave = async () => {
      requireReopenable(agent);
      queued = agent.clearQueue();
      await agent.dispose();
    };
    const before = { known: this.#known, setup };
    const built = await reopenAgent({ context, agent, before, permissionMode: permissions.mode, leave });
    this.#known = built.known;
    this.#shell = localEnvironmentOf(context, built.known).shell;
    this.#sit(built);
    if (built.failure !== undefined) throw built.failure;
    return { queued, notices: built.notices };
  }

  #sit(built: BuiltAgent): void {
    this.#leave();
    this.#built = built;
    this.#leave = built.agent.subscribe(this.#listener);
  }
}

function requireReopenable(agent: AgentHarness): void {
  if (agent.isBusy) {
    const data = { operation: "reload" };
    throw new CodingAgentError({ code: "agent_busy", message: "Cannot reload: the agent is at work.", data });
  }
  if (!isReopenable(agent)) {
    throw new CliError("usage", "This session is in memory only and cannot be opened again", {
      advice: "Start anew to read the files.",
    });
  }
}
