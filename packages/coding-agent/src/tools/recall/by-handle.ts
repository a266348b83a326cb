import type { Session } from "@coppice/session";
import { headOf } from "../../text/truncate.ts";
import { ToolError } from "../tool-error.ts";
import { quoteOf } from "./entry-quote.ts";
import { partFrom, QuoteBudget } from "./quote-budget.ts";

/** Where originals come from. */
export type HandleSource = Pick<Session, "getEntriesById" | "getBranchIds">;

/** A handle as the model writes it: `id`, `id@offset`, `first..last`, `id@offset..last`. */
interface Handle {
  readonly first: string;
  /** Characters of the first entry that are not wanted. */
  readonly offset: number;
  /** Undefined = one entry. */
  readonly last: string | undefined;
}

export interface Recalled {
  readonly text: string;
  /** Entries of which something is shown. */
  readonly entryIds: readonly string[];
  /** Those of them that were wanted: the named one, the best matches; none for a span, or for one that is read on. */
  readonly wantedIds: readonly string[];
}

/** Share of the budget that one entry of a span may take, so that a long result does not hide those behind it. */
const SPAN_SHARE = 0.25;
const MOST_SHOWN_CHARS = 80;
/** Entries that are read together. */
const ENTRIES_AT_ONCE = 16;

/** The originals that a handle names, oldest first, and the handle for what did not fit. Throws `ToolError`. */
export async function recallByHandle(
  source: HandleSource,
  written: string,
  budgetTokens: number,
): Promise<Recalled> {
  const handle = parseHandle(written);
  const ids = await idsOf(source, handle);
  const budget = new QuoteBudget(budgetTokens);
  const most = handle.last === undefined ? budgetTokens : Math.floor(budgetTokens * SPAN_SHARE);
  for (let index = 0; index < ids.length; index += ENTRIES_AT_ONCE) {
    const entries = await source.getEntriesById(ids.slice(index, index + ENTRIES_AT_ONCE));
    for (const entry of entries) {
      const quote = quoteOf(entry);
      if (quote === undefined) continue;
      if (budget.room === 0 && budget.entryIds.length > 0) {
        const rest = ids.length - ids.indexOf(entry.id);
        const notice = `[${rest} more in this span: handle ${entry.id}..${ids.at(-1)}.]`;
        return { ...shownOf(budget), text: `${budget.text}\n\n${notice}` };
      }
      const start = entry.id === handle.first ? Math.min(handle.offset, quote.text.length) : 0;
      budget.add(entry, quote, partFrom(quote.text, start, Math.min(most, Math.max(1, budget.room))));
    }
  }
  if (budget.entryIds.length === 0) throw new ToolError(`${shown(written)} holds no text to recall.`);
  const isAskedFor = ids.length === 1 && handle.offset === 0;
  return { ...shownOf(budget), ...(isAskedFor ? { wantedIds: budget.entryIds } : {}) };
}

/** The entries that a handle names, oldest first. Throws `ToolError`. */
export async function idsOfHandle(source: HandleSource, written: string): Promise<readonly string[]> {
  return idsOf(source, parseHandle(written));
}

async function idsOf(source: HandleSource, { first, last }: Handle): Promise<readonly string[]> {
  if (last !== undefined) return spanOf(source, first, last);
  await requireEntries(source, [first]);
  return [first];
}

function shownOf({ text, entryIds }: QuoteBudget): Recalled {
  return { text, entryIds, wantedIds: [] };
}

/** Summaries write more behind a handle, and models copy it. */
function parseHandle(written: string): Handle {
  const [word = ""] = written.trim().split(/[\s(:,;]/, 1);
  const [from = "", last] = word.replace(/^\[|\]$/g, "").split("..");
  const [, first = from, offset = "0"] = /^(.*)@(\d+)$/.exec(from) ?? [];
  if (first !== "" && last !== "") return { first, offset: Number(offset), last };
  throw new ToolError(
    `"${shown(written)}" is no handle. Write an entry's id or first..last, as summaries name them, or use query.`,
  );
}

/** First to last along one branch. */
async function spanOf(source: HandleSource, first: string, last: string): Promise<readonly string[]> {
  await requireEntries(source, [first, last]);
  const branch = await source.getBranchIds(last);
  const from = branch.indexOf(first);
  if (from !== -1) return branch.slice(from);
  const other = await source.getBranchIds(first);
  const to = other.indexOf(last);
  // The wrong way round.
  if (to !== -1) return other.slice(to);
  throw new ToolError(`${first} does not lie before ${last}: they are on different branches.`);
}

async function requireEntries(source: HandleSource, ids: readonly string[]): Promise<void> {
  const known = new Set((await source.getEntriesById(ids)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownEntry(unknown);
}

function unknownEntry(id: string): ToolError {
  return new ToolError(`There is no entry ${shown(id)} in this session. Use query to look for words.`);
}

/** What a model wrote, as far as an answer repeats it. */
function shown(written: string): string {
  return headOf(written, MOST_SHOWN_CHARS).toWellFormed();
}
