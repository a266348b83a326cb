import type { AgentHarness, HarnessListener, Shell } from "@coppice/coding-agent";
import type { CliContext } from "../../cli-context.ts";
import { type BuiltAgent, localEnvironmentOf } from "../../compose.ts";
import type { KnownModels } from "../../known-models.ts";
import { type OtherSession, openOtherSession } from "../../other-session.ts";
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
    this.#leave = this.#sit(built.agent);
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

  /** Goes on in another session; when it cannot be opened, everything stays as it is. */
  async moveTo(other: OtherSession): Promise<AgentHarness> {
    const { context, known } = this;
    const { agent: old, permissions } = this.#built;
    const permissionMode = permissions.mode;
    const built = await openOtherSession({ context, known, agent: old, other, permissionMode });
    await old.abort();
    this.#leave();
    await old.dispose();
    this.#built = built;
    this.#leave = this.#sit(built.agent);
    return built.agent;
  }

  #sit(agent: AgentHarness): () => void {
    const unsubscribe = agent.subscribe(this.#listener);
    const detach = agent.attachDialogs(this.questions.dialog);
    return () => {
      unsubscribe();
      detach();
    };
  }
}
