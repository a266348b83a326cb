import type { AgentMessage } from "@coppice/agent";
import type { Session } from "@coppice/session";
import { CodingAgentError, messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { Lifetime } from "./lifetime.ts";
import type { OperationGate } from "./operation-gate.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { Prompting } from "./prompting.ts";

export interface ReplacementOptions {
  readonly gate: OperationGate;
  readonly writes: PendingWrites;
  readonly prompting: Prompting;
  readonly lifetime: Lifetime;
  readonly events: EventBus;
}

/** An agent that is to go on in another one's place, with whatever its maker wants to have back beside it. */
export interface Successor {
  readonly agent: { readonly session: Session; dispose(): Promise<void> };
}

/**
 * Messages that the agent before has not sent: a prompt that a hook still had, then steering, then follow-ups, each
 * oldest first.
 */
export interface Unsent {
  readonly queued: readonly AgentMessage[];
}

/** Lets another agent go on in the place of this one, without a message or an entry getting lost between them. */
export class Replacement {
  readonly #options: ReplacementOptions;
  #isUnderWay = false;

  constructor(options: ReplacementOptions) {
    this.#options = options;
  }

  /**
   * Throws `agent_busy` while one is under way, what `open` throws, and `write_failed`; then this agent goes on. Once it has
   * begun to end, what fails is reported, and the successor goes on.
   */
  async with<Next extends Successor>(open: () => Promise<Next>): Promise<Next & Unsent> {
    const { gate, prompting, lifetime } = this.#options;
    gate.refuseClosed("replace the agent");
    if (this.#isUnderWay) {
      throw new CodingAgentError({
        code: "agent_busy",
        message: "Cannot replace the agent: it is being replaced.",
        data: { operation: "replace" },
      });
    }
    this.#isUnderWay = true;
    try {
      const next = await open();
      await this.#rest(next);
      await lifetime.end(next.agent.session.id).catch((error: unknown) => this.#tell(error));
      return { ...next, queued: prompting.clearQueue() };
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** Stops what runs and writes what is pending; the successor goes where that fails. */
  async #rest({ agent }: Successor): Promise<void> {
    const { gate, writes, prompting } = this.#options;
    try {
      prompting.keepUnsent();
      await gate.abort();
      await writes.flushOrThrow();
      gate.refuseClosed("replace the agent");
    } catch (error) {
      prompting.queueUnsent();
      await agent.dispose();
      throw error;
    }
  }

  /** There is no way back to an agent that has ended: its session is closed. */
  #tell(error: unknown): Promise<void> {
    const message = `The session that was left could not be ended cleanly: ${messageOf(error)}`;
    return this.#options.events.report(message, "error");
  }
}
