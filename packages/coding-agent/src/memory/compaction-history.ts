import { activePins } from "@coppice/compaction";
import {
  activeCompaction,
  type EntryDraft,
  ownEdits,
  type Session,
  type SessionEntry,
} from "@coppice/session";
import { CodingAgentError } from "../errors.ts";
import { findUndone, type Undone } from "./find-undone.ts";

type Compaction = SessionEntry<"compaction">;

/**
 * Takes compactions of a session back, and brings them back; only by appending.
 *
 * With nothing after it, undo moves to before the compaction and its edits. With later turns an edit marks it as undone,
 * and they stay. Both hold for this branch from here on.
 */
export class CompactionHistory {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Undoes the compaction in force; returns its id. Throws `nothing_to_undo`. */
  async undo(): Promise<string> {
    const session = this.#session;
    const path = await session.getBranch();
    const compaction = activeCompaction(path);
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
    return compaction.id;
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
          ...checkpoint,
          pins,
          ...(model === undefined ? {} : { model }),
          ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
          ...(activeToolNames === undefined ? {} : { activeToolNames }),
        },
      },
    ];
  }
}
