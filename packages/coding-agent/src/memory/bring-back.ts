import {
  type BranchEntries,
  collectEntriesForBranchSummary,
  withoutPinnedSection,
} from "@coppice/compaction";
import { type AnyEntry, isEntry, type Session } from "@coppice/session";
import type { FileSystem } from "../env/environment.ts";
import { CodingAgentError } from "../errors.ts";
import type { EventBus } from "../event-bus.ts";
import type { Navigation } from "../navigation.ts";
import type { PendingWrites } from "../pending-writes.ts";
import { carriedPins, endingWithPins } from "../pinned-summary.ts";
import { redactSecrets } from "../secrets/redactor.ts";
import { idsOfHandle } from "../tools/recall/by-handle.ts";
import { quoteOf } from "../tools/recall/entry-quote.ts";
import { partFrom, QuoteBudget } from "../tools/recall/quote-budget.ts";
import { ToolError } from "../tools/tool-error.ts";
import { filesOfBranches } from "./branch-files.ts";
import { BROUGHT_CUSTOM_TYPE, placesOfBrought } from "./brought-entries.ts";
import { compareFiles, type FileComparison } from "./changed-files.ts";
import { otherBranches } from "./other-branches.ts";

/**
 * What to bring: chosen entries word for word, or a summary of the branch that ends at an entry.
 *
 * One of `entryIds` may also be a handle such as `first..last`, as summaries write it: all entries of that span.
 */
export type BringRequest =
  | { readonly entryIds: readonly string[] }
  | { readonly branchOf: string; readonly instructions?: string };

type BranchRequest = Extract<BringRequest, { readonly branchOf: string }>;

export interface BringResult {
  /** The entry that holds what was brought. */
  readonly entryId: string;
  /** True when it had been brought before: nothing was written. */
  readonly alreadyHere: boolean;
  /** Files that the other branch changed, compared with those of now. */
  readonly files: readonly FileComparison[];
}

interface Brought {
  readonly result: BringResult;
  readonly entryType: string;
}

export interface BringBackOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly navigation: Navigation;
  readonly events: EventBus;
  readonly files: FileSystem;
}

/** Tokens that quotes may take; the handle of recall leads on to the rest. */
const MOST_TOKENS = 12_000;

/** Brings what another branch knows to the position, with where it comes from; bringing it twice changes nothing. */
export class BringBack {
  readonly #options: BringBackOptions;

  constructor(options: BringBackOptions) {
    this.#options = options;
  }

  /** Throws `unknown_entry`, `nothing_to_bring`, or the summary's own error; nothing is written then. */
  async bring(request: BringRequest, signal: AbortSignal): Promise<BringResult> {
    const { session, writes, events } = this.#options;
    await writes.flushOrThrow();
    const here = await session.getBranch();
    const { result, entryType } =
      "entryIds" in request
        ? await this.#bringEntries(request.entryIds, here)
        : await this.#bringBranch(request, here, signal);
    if (result.alreadyHere) return result;
    const { entryId } = result;
    await events.emit({ type: "entry_appended", entryId, entryType });
    await events.emit({ type: "entries_brought", entryId });
    return result;
  }

  async #bringEntries(handles: readonly string[], here: readonly AnyEntry[]): Promise<Brought> {
    const { session } = this.#options;
    const entryIds = await idsOfHandles(session, handles);
    const branches = await otherBranches(session, here, entryIds);
    const files = await this.#compared(branches);
    const present = new Set(here.map(({ id }) => id));
    const entries = await session.getEntriesById(entryIds.filter((id) => !present.has(id)));
    const wanted = entries.filter((entry) => quoteOf(entry) !== undefined);
    if (wanted.length === 0) throw nothingToBring(handles.join(", "));
    const places = placesOfBrought(here);
    const missing = wanted.filter(({ id }) => !places.has(id));
    const known = wanted.map(({ id }) => places.get(id)).at(-1);
    const entryType = "custom_message";
    if (missing.length === 0 && known !== undefined)
      return { result: { entryId: known, alreadyHere: true, files }, entryType };
    const content = [
      "Brought here from another branch of this session, word for word:",
      quotesOf(missing),
      ...filesNote(files),
    ].join("\n\n");
    const details = { entryIds: missing.map(({ id }) => id), files };
    const entryId = await session.appendCustomMessageEntry({
      ...{ customType: BROUGHT_CUSTOM_TYPE, content, display: true, details },
    });
    return { result: { entryId, alreadyHere: false, files }, entryType };
  }

  async #bringBranch(
    request: BranchRequest,
    here: readonly AnyEntry[],
    signal: AbortSignal,
  ): Promise<Brought> {
    const { session } = this.#options;
    const { branchOf } = request;
    if ((await session.getEntry(branchOf)) === undefined) throw unknownEntry(branchOf);
    const branch = collectEntriesForBranchSummary({
      ...{ oldBranch: await session.getBranch(branchOf), newBranch: here },
    });
    const files = await this.#compared([branch.entries]);
    const entryType = "branch_summary";
    const known = here.find((entry) => isEntry(entry, entryType) && entry.fromId === branchOf);
    if (known !== undefined) return { result: { entryId: known.id, alreadyHere: true, files }, entryType };
    const entryId = await this.#summarise({ request, branch, compared: files, signal });
    return { result: { entryId, alreadyHere: false, files }, entryType };
  }

  #compared(branches: readonly (readonly AnyEntry[])[]): Promise<readonly FileComparison[]> {
    const { files, session } = this.#options;
    return compareFiles(filesOfBranches(branches), { files, cwd: session.cwd });
  }

  async #summarise(options: {
    readonly request: BranchRequest;
    readonly branch: BranchEntries;
    readonly compared: readonly FileComparison[];
    readonly signal: AbortSignal;
  }): Promise<string> {
    const { request, branch, compared, signal } = options;
    const { branchOf, instructions } = request;
    if (branch.messages.length === 0) throw nothingToBring(branchOf);
    const { navigation, session } = this.#options;
    const made = await navigation.summarise(branch, { instructions, signal });
    signal.throwIfAborted();
    const text = [withoutPinnedSection(made.summary), ...filesNote(compared)].join("\n\n");
    const details = { ...branch.files, files: compared };
    const summary = redactSecrets(endingWithPins(text, branch.pins));
    const [entryId = ""] = await session.appendBatch([
      { ...made, type: "branch_summary", summary, details, fromId: branchOf },
      ...carriedPins(branch.pins),
    ]);
    return entryId;
  }
}

/** Each word for word, in this order, as far as the budget goes; a handle leads on to the rest. */
function quotesOf(entries: readonly AnyEntry[]): string {
  const budget = new QuoteBudget(MOST_TOKENS);
  for (const entry of entries) {
    const quote = quoteOf(entry);
    if (quote !== undefined) budget.add(entry, quote, partFrom(quote.text, 0, Math.max(1, budget.room)));
  }
  return budget.text;
}

/** The entries that ids and handles name, each once. Throws `unknown_entry`. */
async function idsOfHandles(session: Session, handles: readonly string[]): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const handle of handles) {
    if ((await session.getEntry(handle)) !== undefined) {
      ids.add(handle);
      continue;
    }
    if (!handle.includes("..")) throw unknownEntry(handle);
    for (const id of await idsOfHandle(session, handle).catch(asUnknownEntry)) ids.add(id);
  }
  return [...ids];
}

function asUnknownEntry(error: unknown): never {
  if (!(error instanceof ToolError)) throw error;
  throw new CodingAgentError({ code: "unknown_entry", message: error.message, cause: error });
}

/** The model must not take the files of now for those of the other branch. */
function filesNote(compared: readonly FileComparison[]): readonly string[] {
  if (compared.length === 0) return [];
  const lines = compared.map(({ path, hash, state }) => {
    const left = hash === undefined ? "" : ` (sha256 ${hash.slice(0, 12)})`;
    return `- ${path.replace(/[\r\n]+/g, " ")}${left}: ${STATES[state]}`;
  });
  return [`Files changed there, and how they stand now:\n${lines.join("\n")}`];
}

const STATES: Readonly<Record<FileComparison["state"], string>> = {
  same: "as it was left there",
  changed: "DIFFERENT now; read before you rely on it",
  missing: "MISSING now",
  unknown: "perhaps different now; read before you rely on it",
};

function unknownEntry(id: string): CodingAgentError {
  return new CodingAgentError({
    code: "unknown_entry",
    message: `There is no entry "${id}" in this session.`,
  });
}

function nothingToBring(what: string): CodingAgentError {
  return new CodingAgentError({
    code: "nothing_to_bring",
    message: `There is nothing to bring from ${what}: it stands on this branch already, or holds no text.`,
  });
}
