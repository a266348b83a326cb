import type { CompactionResult } from "@coppice/compaction";
import type { Session } from "@coppice/session";
import type { AutoCompaction } from "../auto-compaction.ts";
import type { ContextView } from "../context-view.ts";
import { CodingAgentError } from "../errors.ts";
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
import type { CompactionHistory, HistoryStep, UndoneStep } from "./compaction-history.ts";
import { type EntryEdit, replacementFor } from "./entry-edits.ts";
import { type RecallRequest, type RecallResult, recallEntries } from "./recall-entries.ts";

export interface MemoryOperationsOptions {
  readonly session: Session;
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
      async () => ({ entryId: await history.redo(), unmasked: 0 }),
      (step) => events.emit({ type: "compaction_redone", ...step }),
    );
  }

  /** Throws as `BringBack.bring` does. */
  bring(request: BringRequest): Promise<BringResult> {
    const { operations, bringBack } = this.#options;
    return operations.exclusively("bring", (signal) => bringBack.bring(request, signal));
  }

  /** Only reads, so that it works beside whatever runs. Throws `nothing_recalled`. */
  recall(request: RecallRequest): Promise<RecallResult> {
    return recallEntries(this.#options.session, request);
  }

  /** Throws `agent_busy`, `unknown_entry`, `invalid_edit`. */
  edit(entryId: string, edit: EntryEdit): Promise<void> {
    const { operations, writes, session, events } = this.#options;
    return operations.exclusively("edit", async () => {
      await writes.flushOrThrow();
      const isOnBranch = (await session.getBranchIds()).includes(entryId);
      const entry = isOnBranch ? await session.getEntry(entryId) : undefined;
      if (entry === undefined) {
        throw new CodingAgentError({
          code: "unknown_entry",
          message: `There is no entry "${entryId}" on this branch.`,
        });
      }
      const id = await session.appendContextEdit(entryId, replacementFor(entry, edit));
      await events.emit({ type: "entry_appended", entryId: id, entryType: "context_edit" });
    });
  }

  #step(work: () => Promise<UndoneStep>, tell: (step: HistoryStep) => Promise<void>): Promise<HistoryStep> {
    const { operations, writes, view } = this.#options;
    return operations.exclusively("undo", async () => {
      await writes.flushOrThrow();
      const undone = await work();
      const step = { ...undone, tokens: (await view.project()).size.tokens };
      await tell(step);
      return step;
    });
  }
}
