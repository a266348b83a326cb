import type { AgentMessage } from "@coppice/agent";
import type { AgentHarness, HarnessListener, Shell } from "@coppice/coding-agent";
import type { CliContext } from "../../cli-context.ts";
import { type BuiltAgent, localEnvironmentOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { moveToSession, type OtherSession } from "../../other-session.ts";
import type { Questions } from "./questions.ts";

export interface AgentSeatOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly built: BuiltAgent;
  readonly questions: Questions;
  /** Hears the agent of the moment. */
  readonly listener: HarnessListener;
}

/** The place of the agent: one sits there at a time, and whoever listens hears the one that does. */
export class AgentSeat {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly questions: Questions;
  /** Where the user's own commands run. */
  readonly shell: Shell;
  readonly #listener: HarnessListener;
  #built: BuiltAgent;
  #leave: () => void;

  constructor({ context, known, built, questions, listener }: AgentSeatOptions) {
    this.context = context;
    this.known = known;
    this.questions = questions;
    this.shell = localEnvironmentOf(context, known).shell;
    this.#listener = listener;
    this.#built = built;
    this.#leave = built.agent.subscribe(listener);
  }

  get agent(): AgentHarness {
    return this.#built.agent;
  }

  get permissions(): BuiltAgent["permissions"] {
    return this.#built.permissions;
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
    this.#leave();
    this.#built = built;
    this.#leave = built.agent.subscribe(this.#listener);
    return built.queued;
  }
}
