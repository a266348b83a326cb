import type { AgentHarness, HarnessListener } from "@coppice/coding-agent";
import type { CliContext } from "../../cli-context.ts";
import type { KnownModels } from "../../known-models.ts";
import { type OtherSession, openOtherSession } from "../../other-session.ts";

export interface AgentSeatOptions {
  readonly context: CliContext;
  readonly known: KnownModels;
  readonly agent: AgentHarness;
  /** Hears the agent of the moment. */
  readonly listener: HarnessListener;
}

/** The place of the agent: one sits there at a time, and whoever listens hears the one that does. */
export class AgentSeat {
  readonly known: KnownModels;
  readonly #options: AgentSeatOptions;
  #agent: AgentHarness;
  #unsubscribe: () => void;

  constructor(options: AgentSeatOptions) {
    this.#options = options;
    this.known = options.known;
    this.#agent = options.agent;
    this.#unsubscribe = this.#agent.subscribe(options.listener);
  }

  get agent(): AgentHarness {
    return this.#agent;
  }

  /** Goes on in another session; when it cannot be opened, everything stays as it is. */
  async moveTo(other: OtherSession): Promise<AgentHarness> {
    const { context, known, listener } = this.#options;
    const old = this.#agent;
    const { agent } = await openOtherSession({ context, known, agent: old, other });
    await old.abort();
    this.#unsubscribe();
    await old.dispose();
    this.#agent = agent;
    this.#unsubscribe = agent.subscribe(listener);
    return agent;
  }
}
