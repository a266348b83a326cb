import { CodingAgentError } from "../errors.ts";
import { type RecallSource, recallOriginals } from "../tools/recall/recall-originals.ts";
import { ToolError } from "../tools/tool-error.ts";

/** What to look for: an entry or a span by its handle, or whatever fits words best. */
export type RecallRequest = ({ readonly handle: string } | { readonly query: string }) & {
  /** Default 4,000; at least 200, at most 12,000 are taken. */
  readonly budgetTokens?: number;
};

export interface RecallResult {
  /** The originals, each headed by its id, by who said it and when. */
  readonly text: string;
  /** Entries of which something is shown. */
  readonly entryIds: readonly string[];
}

/**
 * What the tool `recall` shows the model, for a person or a program: originals of any branch, compacted or not.
 *
 * Only reads, and counts for no pin. Throws `nothing_recalled` for what is no handle, is not there or fits nothing.
 */
export async function recallEntries(session: RecallSource, request: RecallRequest): Promise<RecallResult> {
  try {
    const { text, entryIds } = await recallOriginals(session, request);
    return { text, entryIds };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new CodingAgentError({ code: "nothing_recalled", message: error.message, cause: error });
  }
}

/** What a person typed, understood: one word that names an entry or a span is a handle, anything else is searched for. */
export async function recallRequestOf(session: RecallSource, typed: string): Promise<RecallRequest> {
  const words = typed.trim();
  const [first = ""] = words.split("..");
  const id = first.replace(/@\d+$/, "");
  const isHandle = id !== "" && !/\s/.test(words) && (await session.getEntriesById([id])).length > 0;
  return isHandle ? { handle: words } : { query: words };
}
