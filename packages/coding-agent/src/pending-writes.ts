import type { AgentEvent, AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import type { EntryDraft, Session } from "@coppice/session";
import { CodingAgentError, messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";

/**
 * When what a run produced goes to disk.
 *
 * `message`: at every finished message. `turn`: only at `turn_end` and `agent_end` (and before a compaction), so that a
 * kill can lose a whole turn; for stores where every write is expensive.
 */
export type FlushPolicy = "message" | "turn";

export interface PendingWritesOptions {
  readonly session: Session;
  readonly flushPolicy: FlushPolicy;
  readonly events: EventBus;
  /** Hears of every entry that is on disk now; what it adds to the queue goes out with the same flush. */
  readonly onAppended?: (entryId: string, draft: EntryDraft) => Promise<void>;
}

/**
 * The ordered queue between a run and its session.
 *
 * Order on disk = order of `add`. A write leaves the queue only once the session has it: a failed flush keeps the rest,
 * is reported as a `diagnostic` (once, until it is another failure or was mended), and is tried again at the next flush.
 */
export class PendingWrites {
  readonly #session: Session;
  readonly #policy: FlushPolicy;
  readonly #events: EventBus;
  readonly #onAppended: PendingWritesOptions["onAppended"];
  #queue: EntryDraft[] = [];
  /** What the user was told of already; a disk that is full is one piece of news, however often it is tried. */
  #toldFailure: string | undefined;
  #flushing: Promise<unknown> = Promise.resolve();

  constructor(options: PendingWritesOptions) {
    this.#session = options.session;
    this.#policy = options.flushPolicy;
    this.#events = options.events;
    this.#onAppended = options.onAppended;
  }

  /** What is not on disk yet, oldest first. */
  get drafts(): readonly EntryDraft[] {
    return this.#queue;
  }

  /** Whether every finished message is written at once. */
  get flushesMessages(): boolean {
    return this.#policy === "message";
  }

  add(...drafts: readonly EntryDraft[]): void {
    this.#queue.push(...drafts);
  }

  /**
   * Records finished messages and flushes at the policy's moments.
   *
   * Throws `write_failed` when a message that calls tools cannot be stored: its tools must not run unrecorded.
   */
  async handleAgentEvent(event: AgentEvent): Promise<void> {
    if (event.type === "message_end") {
      const draft = draftOf(event.message);
      if (draft === undefined) return;
      this.add(draft);
      if (this.#policy === "message") await this.#flushMessage(event.message);
    } else if (event.type === "turn_end" || event.type === "agent_end") {
      await this.savePoint();
    }
  }

  /** Writes everything that is queued. Resolves with the failure, if any; the queue then still holds the rest. */
  flushPendingWrites(): Promise<Error | undefined> {
    const flush = this.#flushing.then(() => this.#drain());
    this.#flushing = flush;
    return flush;
  }

  /** Flushes, or throws `write_failed`. */
  async flushOrThrow(): Promise<void> {
    const failure = (await this.flushPendingWrites()) && (await this.flushPendingWrites());
    if (failure === undefined) return;
    throw new CodingAgentError({
      code: "write_failed",
      message: `The session could not be written: ${failure.message}`,
      cause: failure,
      data: { pending: this.#queue.length },
    });
  }

  /** Flushes and asks the store to make it durable. */
  async savePoint(): Promise<void> {
    if ((await this.flushPendingWrites()) !== undefined) return;
    try {
      await this.#session.sync();
    } catch (error) {
      await this.#events.report(`The session could not be synced to disk: ${messageOf(error)}`, "error");
    }
  }

  async #flushMessage(message: AgentMessage): Promise<void> {
    const callsTools = message.role === "assistant" && toolCallsOf(message).length > 0;
    if (callsTools) await this.flushOrThrow();
    else await this.flushPendingWrites();
  }

  async #tellFailure(count: number, reason: string): Promise<void> {
    if (this.#toldFailure === reason) return;
    this.#toldFailure = reason;
    const entries = count === 1 ? "entry" : "entries";
    await this.#events.report(`${count} session ${entries} could not be written: ${reason}`, "error");
  }

  async #tellAppended(entryId: string, draft: EntryDraft): Promise<void> {
    try {
      await this.#onAppended?.(entryId, draft);
    } catch (error) {
      await this.#events.report(`What follows from entry ${entryId} was not recorded: ${messageOf(error)}`);
    }
  }

  async #drain(): Promise<Error | undefined> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice();
      let ids: readonly string[];
      try {
        ids = await this.#session.appendBatch(batch);
      } catch (error) {
        await this.#tellFailure(batch.length, messageOf(error));
        return error instanceof Error ? error : new Error(String(error));
      }
      this.#toldFailure = undefined;
      // Others may have added meanwhile, only behind what was written.
      this.#queue = this.#queue.slice(batch.length);
      for (const [index, entryId] of ids.entries()) {
        const draft = batch[index];
        if (draft === undefined) continue;
        await this.#events.emit({ type: "entry_appended", entryId, entryType: draft.type });
        await this.#tellAppended(entryId, draft);
      }
    }
    return undefined;
  }
}

/** The entry that stores a message; undefined for those that are derived from other entries. */
function draftOf(message: AgentMessage): EntryDraft | undefined {
  switch (message.role) {
    case "compactionSummary":
    case "branchSummary":
      return undefined;
    case "custom":
      return {
        type: "custom_message",
        customType: message.customType,
        content: message.content,
        display: message.display,
        ...(message.details === undefined ? {} : { details: message.details }),
      };
    default:
      return { type: "message", message };
  }
}
