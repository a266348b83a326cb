import type { AssistantMessage, ToolResultMessage } from "@coppice/ai";
import { activePins, isMasked } from "@coppice/compaction";
import {
  type AnyEntry,
  activeCompaction,
  type EntryDraft,
  isEntry,
  latestEdits,
  ownEdits,
  type Session,
  type SessionEntry,
} from "@coppice/session";
import { CodingAgentError } from "../errors.ts";
import { findUndone, type Undone } from "./find-undone.ts";
import { RecallCount } from "./recall-count.ts";

type Compaction = SessionEntry<"compaction">;

/** What was taken back. */
export interface UndoneStep {
  /** The compaction; of masks the first result that is whole again. */
  readonly entryId: string;
  /** Results that are sent whole again, where masks were taken back; 0 for a compaction. */
  readonly unmasked: number;
}

/** A compaction that was taken back or brought back, or masks that were, and the size of the next request since. */
export interface HistoryStep extends UndoneStep {
  readonly tokens: number;
}

/**
 * Takes compactions of a session back, and brings them back; only by appending. Masks that were set since are the newer
 * step, and go first; what they hid is not masked again.
 *
 * With nothing after it, undo moves to before the compaction and its edits. With later turns an edit marks it as undone,
 * and they stay. Both hold for this branch from here on.
 */
export class CompactionHistory {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Undoes the masks set since the compaction in force, else that. Throws `nothing_to_undo`. */
  async undo(): Promise<UndoneStep> {
    const session = this.#session;
    const path = await session.getBranch();
    const compaction = activeCompaction(path);
    const restoring = maskedSince(path, compaction).map(wholeAgain);
    const [first] = restoring;
    if (first !== undefined) {
      await session.appendBatch(restoring);
      return { entryId: first.targetId, unmasked: restoring.length };
    }
    if (compaction === undefined) {
      throw new CodingAgentError({
        code: "nothing_to_undo",
        message: "There is no compaction to undo: the conversation is whole on this branch.",
      });
    }
    if (session.getLeafId() === compaction.id) {
      await session.moveTo((ownEdits(compaction, path)[0] ?? compaction).parentId);
    } else {
      await session.appendContextEdit(compaction.id, null);
    }
    return { entryId: compaction.id, unmasked: 0 };
  }

  /** Brings the compaction back that was undone last on this branch; returns its id now. Throws `nothing_to_redo`. */
  async redo(): Promise<string> {
    const undone = await findUndone(this.#session);
    if (undone === undefined) {
      throw new CodingAgentError({
        code: "nothing_to_redo",
        message: "No compaction was undone here, or a newer one has taken its place.",
      });
    }
    return this.#bringBack(undone);
  }

  async #bringBack({ compaction, place, anchorId }: Undone): Promise<string> {
    const session = this.#session;
    if (place === "here") {
      await session.moveTo(compaction.id);
      return compaction.id;
    }
    if (place === "on_path") {
      // Any replacement but null counts as not undone; readers that take it literally show the same summary.
      await session.appendContextEdit(compaction.id, { content: compaction.summary });
      return compaction.id;
    }
    const ids = await session.appendBatch(await this.#copyOf(compaction, anchorId));
    return ids.at(-1) ?? "";
  }

  /** The compaction again, behind the turns that came since: it keeps them, and speaks for the state of now. */
  async #copyOf(compaction: Compaction, anchorId: string | null): Promise<readonly EntryDraft[]> {
    const session = this.#session;
    const edits = ownEdits(compaction, await session.getBranch(compaction.id));
    const { model, thinkingLevel, activeToolNames, systemMessage } = await session.buildContext();
    const path = await session.getBranch();
    const pins = activePins(path);
    const keepsNothing = compaction.firstKeptEntryId === compaction.id;
    const firstSince = path[path.findIndex(({ id }) => id === anchorId) + 1];
    const { summary, tokensBefore, details, fromHook, checkpoint } = compaction;
    const { recalledIds: _, ...others } = checkpoint ?? {};
    return [
      ...edits.map(
        ({ targetId, replacement }): EntryDraft => ({ type: "context_edit", targetId, replacement }),
      ),
      {
        type: "compaction",
        ...{ summary, tokensBefore, details },
        firstKeptEntryId: keepsNothing ? (firstSince?.id ?? "") : compaction.firstKeptEntryId,
        ...(fromHook === undefined ? {} : { fromHook }),
        ...(systemMessage === undefined ? {} : { systemMessage }),
        checkpoint: {
          ...others,
          ...RecallCount.of(path).carried,
          pins,
          ...(model === undefined ? {} : { model }),
          ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
          ...(activeToolNames === undefined ? {} : { activeToolNames }),
        },
      },
    ];
  }
}

type MaskedEntry = SessionEntry<"message"> & { readonly message: ToolResultMessage | AssistantMessage };

/** Results, and answers that a strategy masked, that a masking behind the compaction shortened and that nothing has touched since, oldest first. */
function maskedSince(path: readonly AnyEntry[], compaction: Compaction | undefined): readonly MaskedEntry[] {
  const edits = latestEdits(path);
  const since = path.slice(path.findIndex(({ id }) => id === compaction?.id) + 1);
  const targets = new Set(since.flatMap((entry) => (isEntry(entry, "context_edit") ? [entry.targetId] : [])));
  return path.filter((entry): entry is MaskedEntry => {
    const replacement = targets.has(entry.id) ? edits.get(entry.id) : undefined;
    if (!replacement || !isMasked(replacement.content)) return false;
    return isEntry(entry, "message") && MASKED_ROLES.has(entry.message.role);
  });
}

const MASKED_ROLES: ReadonlySet<string> = new Set(["toolResult", "assistant"]);

/** An edit holds no thinking: of an answer its text comes back. */
function wholeAgain({ id, message }: MaskedEntry): EntryDraft & { readonly type: "context_edit" } {
  const content =
    message.role === "toolResult"
      ? message.content
      : message.content.filter((block) => block.type === "text");
  return { type: "context_edit", targetId: id, replacement: { content } };
}
