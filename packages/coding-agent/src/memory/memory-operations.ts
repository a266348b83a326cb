import type { CompactionResult } from "@coppice/compaction";
import type { AutoCompaction } from "../auto-compaction.ts";
import type { ContextView } from "../context-view.ts";
import type { EventBus } from "../event-bus.ts";
import type { PendingWrites } from "../pending-writes.ts";
import type { SessionOperations } from "../session-operations.ts";
import type { BringBack, BringRequest, BringResult } from "./bring-back.ts";
import type {
  CompactionDraft,
  CompactionDrafts,
  CompactionOutlook,
  DraftChoice,
} from "./compaction-drafts.ts";
import type { CompactionHistory } from "./compaction-history.ts";

/** A compaction that was taken back or brought back, and the size of the next request since. */
export interface HistoryStep {
  readonly entryId: string;
  readonly tokens: number;
}

export interface MemoryOperationsOptions {
  readonly writes: PendingWrites;
  readonly view: ContextView;
  readonly events: EventBus;
  readonly operations: SessionOperations;
  readonly autoCompaction: AutoCompaction;
  readonly drafts: CompactionDrafts;
  readonly history: CompactionHistory;
  readonly bringBack: BringBack;
}

/** What the user does to compactions: looks first, edits, takes back. One at a time, as every operation. */
export class MemoryOperations {
  readonly #options: MemoryOperationsOptions;

  constructor(options: MemoryOperationsOptions) {
    this.#options = options;
  }

  preview(): Promise<CompactionOutlook> {
    const { operations, drafts } = this.#options;
    return operations.exclusively("draft", (signal) => drafts.preview(signal));
  }

  draft(instructions: string | undefined): Promise<CompactionDraft> {
    const { operations, drafts } = this.#options;
    return operations.exclusively("draft", (signal) => drafts.draft(instructions, signal));
  }

  store(choice: DraftChoice): Promise<CompactionResult> {
    const { operations, drafts } = this.#options;
    return operations.exclusively("compact", (signal) => drafts.store(choice, signal));
  }

  /** Throws `nothing_to_undo`. Automatic compaction then rests for a while, or it would undo the undoing. */
  async undo(): Promise<HistoryStep> {
    const { history, autoCompaction, events } = this.#options;
    return this.#step(
      () => history.undo(),
      async (step) => {
        autoCompaction.restAbove(step.tokens);
        await events.emit({ type: "compaction_undone", ...step });
      },
    );
  }

  /** Throws `nothing_to_redo`. */
  redo(): Promise<HistoryStep> {
    const { history, events } = this.#options;
    return this.#step(
      () => history.redo(),
      (step) => events.emit({ type: "compaction_redone", ...step }),
    );
  }

  /** Throws as `BringBack.bring` does. */
  bring(request: BringRequest): Promise<BringResult> {
    const { operations, bringBack } = this.#options;
    return operations.exclusively("bring", (signal) => bringBack.bring(request, signal));
  }

  #step(work: () => Promise<string>, tell: (step: HistoryStep) => Promise<void>): Promise<HistoryStep> {
    const { operations, writes, view } = this.#options;
    return operations.exclusively("undo", async () => {
      await writes.flushOrThrow();
      const entryId = await work();
      const step = { entryId, tokens: (await view.project()).size.tokens };
      await tell(step);
      return step;
    });
  }
}
