import { type AnyEntry, isEntry, type SearchMatch, type Session } from "@coppice/session";
import { headOf } from "../../text/truncate.ts";
import { ToolError } from "../tool-error.ts";
import { bestPart } from "./best-part.ts";
import type { Recalled } from "./by-handle.ts";
import { type EntryQuote, quoteOf } from "./entry-quote.ts";
import { QuoteBudget } from "./quote-budget.ts";

/** Where originals come from, and what the model sees already. */
export type QuerySource = Pick<Session, "getEntriesById" | "search" | "buildContext">;

interface Candidate {
  readonly entry: AnyEntry;
  readonly quote: EntryQuote;
  readonly isOnBranch: boolean;
  /** Sent with every request as it is. */
  readonly isInContext: boolean;
  readonly score: number;
}

/** Matches of one search that are looked at, newest first. */
const MOST_MATCHES = 32;
/** Of these, summaries, which carry on what the one before said, and as many that the model sees anyway. */
const MOST_ASIDES = 4;
/** Matches of one search that are read whole. */
const MOST_READ = 8;
/** Words of the query that are searched for one by one. */
const MOST_SEARCHES = 3;
/** Matches of the whole query that make further searches needless. */
const ENOUGH = 3;
/** Words shorter than this stand everywhere. */
const LEAST_WORD_CHARS = 3;
/** Of the query, what the result repeats. */
const SHOWN_QUERY_CHARS = 80;
/** A match may take this share of the budget, so that a long one does not hide the next. */
const MATCH_SHARE = 0.35;

/**
 * The entries of all branches that fit a query best, quoted around what was found. Throws `ToolError` when none does.
 *
 * First the query as it is, then all its words near one another, which costs a file the least, then each word alone,
 * rarest (longest) first; one that is nowhere is left out, and the rest looked for together. What the model sees anyway
 * comes last.
 */
export async function recallByQuery(
  source: QuerySource,
  query: string,
  budgetTokens: number,
): Promise<Recalled> {
  const phrase = query.trim().toLowerCase();
  const words = wordsOf(phrase);
  const found = new Map<string, Candidate>();
  const seen = await entriesInContext(source);
  /** Resolves with whether anything new was found. */
  const collect = async (text: string, near: readonly string[] = []): Promise<boolean> => {
    const matches = new Map<string, SearchMatch>();
    const scores = new Map<string, number>();
    const options = { limit: MOST_MATCHES, near, accepts: quotableWith(text, seen) };
    for await (const match of source.search(text, options)) {
      if (found.has(match.entryId)) continue;
      matches.set(match.entryId, match);
      scores.set(match.entryId, scoreOf(match.snippet.toLowerCase(), phrase, words));
    }
    // Reading whole entries is what takes time: those go first around whose match more of the query stands.
    const ids = [...matches.values()]
      .sort(
        (a, b) =>
          placeOfType(a.type, seen.has(a.entryId)) - placeOfType(b.type, seen.has(b.entryId)) ||
          (scores.get(b.entryId) ?? 0) - (scores.get(a.entryId) ?? 0),
      )
      .map(({ entryId }) => entryId);
    for (const entry of await source.getEntriesById(ids.slice(0, MOST_READ))) {
      const quote = quoteOf(entry);
      if (quote === undefined) continue;
      const score = scoreOf(quote.text.toLowerCase(), phrase, words);
      if (score === 0) continue;
      const isOnBranch = matches.get(entry.id)?.isOnBranch ?? false;
      found.set(entry.id, { entry, quote, isOnBranch, isInContext: seen.has(entry.id), score });
    }
    return matches.size > 0;
  };
  await collect(phrase);
  let wanted = words;
  const isFound = () => isEnough([...found.values()], wanted.length);
  const collectTogether = async ([longest, ...others]: readonly string[]) => {
    if (longest !== undefined && others.length > 0 && !isFound()) await collect(longest, others);
  };
  await collectTogether(wanted);
  for (const word of words.slice(0, MOST_SEARCHES)) {
    if (word === phrase || isFound()) break;
    if ((await collect(word)) || holds(found, word)) continue;
    // A word that is nowhere must not keep the others from being found together.
    wanted = wanted.filter((other) => other !== word);
    await collectTogether(wanted);
  }
  if (found.size === 0) {
    throw new ToolError(`Nothing in this session holds "${shownQuery(query)}". Try fewer or other words.`);
  }
  return quoted(rank([...found.values()]), { query, words: [phrase, ...words], budgetTokens });
}

function quoted(
  ranked: readonly Candidate[],
  { query, words, budgetTokens }: { query: string; words: readonly string[]; budgetTokens: number },
): Recalled {
  const budget = new QuoteBudget(budgetTokens);
  const most = Math.max(1, Math.floor(budgetTokens * MATCH_SHARE));
  for (const { entry, quote, isOnBranch, isInContext } of ranked) {
    if (budget.room === 0 && budget.entryIds.length > 0) break;
    const part = bestPart(quote.text, words, Math.min(most, Math.max(1, budget.room)));
    budget.add(entry, quote, part, isInContext ? ", in your context" : isOnBranch ? "" : ", other branch");
  }
  const shown = budget.entryIds.length;
  const [best] = ranked;
  const rest = ranked.length - shown;
  const more = rest > 0 ? `, ${rest} more with a larger budget or more words` : "";
  return {
    text: `${shown} found for "${shownQuery(query)}", best first${more}. Cite what you use by its id.\n\n${budget.text}`,
    entryIds: budget.entryIds,
    wantedIds: ranked
      .slice(0, shown)
      .filter((one) => one.score === best?.score && placeOf(one) === placeOf(best) && !one.isInContext)
      .map(({ entry }) => entry.id),
  };
}

function shownQuery(query: string): string {
  return headOf(query, SHOWN_QUERY_CHARS).toWellFormed();
}

/** Leaves out what is no original: what the tool was asked and said before, and all but a few of the asides. */
function quotableWith(text: string, seen: ReadonlySet<string>): (entry: AnyEntry) => boolean {
  const asides = [0, 0, 0];
  return (entry) => {
    if (quoteOf(entry)?.text.toLowerCase().includes(text) !== true) return false;
    const place = placeOfType(entry.type, seen.has(entry.id));
    asides[place] = (asides[place] ?? 0) + 1;
    return place === 0 || (asides[place] ?? 0) <= MOST_ASIDES;
  };
}

function placeOf({ entry, isInContext }: Candidate): 0 | 1 | 2 {
  return placeOfType(entry.type, isInContext);
}

/** Originals come first, then summaries, then what the model sees anyway. */
function placeOfType(type: string, isInContext: boolean): 0 | 1 | 2 {
  return isInContext ? 2 : type === "compaction" || type === "branch_summary" ? 1 : 0;
}

/** Longest first, each once. */
function wordsOf(phrase: string): readonly string[] {
  const words = phrase.match(/[\p{L}\p{N}_./-]+/gu) ?? [];
  const trimmed = words.map((word) => word.replace(/^[./-]+|[./-]+$/g, ""));
  return [...new Set(trimmed)]
    .filter((word) => word.length >= LEAST_WORD_CHARS || /[^\p{ASCII}]/u.test(word))
    .sort((a, b) => b.length - a.length);
}

/** How much of the query a text holds; 0 = nothing of it. */
function scoreOf(text: string, phrase: string, words: readonly string[]): number {
  const held = words.filter((word) => text.includes(word)).length;
  return held + (text.includes(phrase) ? words.length + 1 : 0);
}

function holds(found: ReadonlyMap<string, Candidate>, word: string): boolean {
  return [...found.values()].some(({ quote }) => quote.text.toLowerCase().includes(word));
}

function isEnough(candidates: readonly Candidate[], wordCount: number): boolean {
  const good = candidates.filter(({ score, isInContext }) => !isInContext && score >= wordCount);
  return good.length >= (wordCount > 1 ? 1 : ENOUGH);
}

function rank(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      b.score - a.score ||
      Number(b.isOnBranch) - Number(a.isOnBranch) ||
      (a.entry.timestamp < b.entry.timestamp ? 1 : -1),
  );
}

/** Entries that are sent unshortened. */
async function entriesInContext(source: QuerySource): Promise<ReadonlySet<string>> {
  const { entries } = await source.buildContext();
  return new Set(
    entries
      .filter(({ entry, messages }) => !isEntry(entry, "message") || messages.includes(entry.message))
      .map(({ entry }) => entry.id),
  );
}
