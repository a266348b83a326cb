import { textOf } from "@coppice/ai";
import { PIN_CUSTOM_TYPE } from "@coppice/compaction";
import { isEntry, type Session } from "@coppice/session";
import { CodingAgentError } from "./errors.ts";

/** Where choosing an entry leads. */
export interface ChosenPosition {
  readonly targetId: string | null;
  /** Text of the chosen user message, for editing. */
  readonly editorText: string | undefined;
}

/**
 * The position that choosing an entry means; null = before the first entry. Throws `unknown_entry`.
 *
 * A user message is chosen to be said again: the position is its parent and its text goes back.
 */
export async function chosenPosition(session: Session, entryId: string | null): Promise<ChosenPosition> {
  if (entryId === null) return { targetId: null, editorText: undefined };
  const entry = await session.getEntry(entryId);
  if (entry === undefined) {
    throw new CodingAgentError({
      code: "unknown_entry",
      message: `There is no entry "${entryId}" in this session.`,
    });
  }
  if (isEntry(entry, "message") && entry.message.role === "user") {
    return { targetId: entry.parentId, editorText: textOf(entry.message.content) };
  }
  // The notice of a pin is the program's own words: nobody says it again.
  if (isEntry(entry, "custom_message") && entry.customType !== PIN_CUSTOM_TYPE) {
    return { targetId: entry.parentId, editorText: textOf(entry.content) };
  }
  return { targetId: entryId, editorText: undefined };
}
