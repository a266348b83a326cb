import type { Agent, AgentMessage } from "@coppice/agent";
import { activePins, PIN_CUSTOM_TYPE, type Pin } from "@coppice/compaction";
import type { AnyEntry, EntryDraft, Session } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";
import { pathSinceCheckpoint } from "./memory/path-since-checkpoint.ts";
import type { OperationGate } from "./operation-gate.ts";
import type { PendingWrites } from "./pending-writes.ts";

export interface PinsOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly gate: OperationGate;
  readonly agent: Agent;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * Rules that survive every compaction word for word.
 *
 * A pin is a `custom` entry, which compactions carry on; a message beside it tells the model of it now. Rules that were
 * detected in the conversation stand there already and are not told again.
 */
export class Pins {
  readonly #options: PinsOptions;

  constructor(options: PinsOptions) {
    this.#options = options;
  }

  /** The pins in force at the position, oldest first, also those that are not on disk yet. */
  async list(): Promise<readonly Pin[]> {
    const { session, writes } = this.#options;
    const pending = writes.drafts.flatMap((draft) =>
      draft.type === "custom" ? [{ ...draft, id: "", parentId: null, timestamp: "" } as AnyEntry] : [],
    );
    return activePins([...(await pathSinceCheckpoint(session)), ...pending]);
  }

  /** Throws `empty_pin`. */
  async pin(text: string, source: Pin["source"]): Promise<Pin> {
    const rule = text.trim();
    if (rule === "") {
      throw new CodingAgentError({ code: "empty_pin", message: "The rule to pin is empty." });
    }
    const pin: Pin = { id: this.#options.newId(), text: rule, source };
    await this.#record(pin, `From now on this rule holds: ${rule}`);
    return pin;
  }

  /** Throws `unknown_pin` for an id that no pin in force has. */
  async unpin(id: string): Promise<void> {
    const pin = (await this.list()).find((one) => one.id === id);
    if (pin === undefined) {
      throw new CodingAgentError({ code: "unknown_pin", message: `No pinned rule has the id "${id}".` });
    }
    await this.#record({ ...pin, removed: true }, `This rule no longer holds: ${pin.text}`);
  }

  /** Not between a call and its results, and not into a compaction or a move: these would miss it or break on it. */
  async #record(pin: Pin, notice: string): Promise<void> {
    const { session, writes, gate, agent, now } = this.#options;
    while (gate.current !== undefined && gate.current !== "prompt") await gate.waitForIdle();
    gate.refuseClosed("pin a rule");
    const entry: EntryDraft = { type: "custom", customType: PIN_CUSTOM_TYPE, data: pin };
    const message = { customType: PIN_CUSTOM_TYPE, content: notice, display: true };
    writes.add(entry);
    if (gate.current === "prompt") {
      if (pin.source !== "detected") {
        await agent.add({ role: "custom", ...message, timestamp: now() } satisfies AgentMessage);
      }
      return;
    }
    if (pin.source !== "detected") writes.add({ type: "custom_message", ...message });
    // Before the first prompt there is no file; the pin waits for it.
    if (session.getLeafId() !== null) await writes.flushOrThrow();
  }
}
