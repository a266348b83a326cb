import { type BranchEntries, collectEntriesForBranchSummary } from "@coppice/compaction";
import { type AnyEntry, isEntry, type Session } from "@coppice/session";
import type { FileSystem } from "../env/environment.ts";
import { CodingAgentError } from "../errors.ts";
import type { EventBus } from "../event-bus.ts";
import type { Navigation } from "../navigation.ts";
import type { PendingWrites } from "../pending-writes.ts";
import { quoteOf } from "../tools/recall/entry-quote.ts";
import { partFrom, QuoteBudget } from "../tools/recall/quote-budget.ts";
import { branchFilesOf } from "./branch-files.ts";
import { compareFiles, type FileComparison } from "./changed-files.ts";

/** `customType` of the messages that hold entries of another branch. */
const BROUGHT_CUSTOM_TYPE = "coppice.brought";

/** What to bring: chosen entries word for word, or a summary of the branch that ends at an entry. */
export type BringRequest =
  | { readonly entryIds: readonly string[] }
  | { readonly branchOf: string; readonly instructions?: string };

export interface BringResult {
  /** The entry that holds what was brought. */
  readonly entryId: string;
  /** True when it had been brought before: nothing was written. */
  readonly alreadyHere: boolean;
  /** Files that the other branch changed, compared with those of now. */
  readonly files: readonly FileComparison[];
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
    const known = here.find((entry) => isBrought(entry, request));
    const branch = await this.#branchOf(request, here);
    const { files, cwd } = { files: this.#options.files, cwd: session.cwd };
    const compared = await compareFiles(branchFilesOf(branch.messages), { files, cwd });
    if (known !== undefined) return { entryId: known.id, alreadyHere: true, files: compared };
    const entryId =
      "entryIds" in request
        ? await this.#quote(request.entryIds, here, compared)
        : await this.#summarise({ request, branch, compared, signal });
    await events.emit({ type: "entry_appended", entryId, entryType: await this.#typeOf(entryId) });
    await events.emit({ type: "entries_brought", entryId });
    return { entryId, alreadyHere: false, files: compared };
  }

  /** What lies between the two branches' common ancestor and what is brought. */
  async #branchOf(request: BringRequest, here: readonly AnyEntry[]): Promise<BranchEntries> {
    const { session } = this.#options;
    const ids = "entryIds" in request ? request.entryIds : [request.branchOf];
    for (const id of ids) {
      if ((await session.getEntry(id)) !== undefined) continue;
      throw new CodingAgentError({
        code: "unknown_entry",
        message: `There is no entry "${id}" in this session.`,
      });
    }
    const tip = ids.at(-1);
    const oldBranch = tip === undefined ? [] : await session.getBranch(tip);
    return collectEntriesForBranchSummary({ oldBranch, newBranch: here });
  }

  async #quote(
    entryIds: readonly string[],
    here: readonly AnyEntry[],
    compared: readonly FileComparison[],
  ): Promise<string> {
    const { session } = this.#options;
    const budget = new QuoteBudget(MOST_TOKENS);
    const present = new Set(here.map(({ id }) => id));
    for (const id of entryIds) {
      const entry = present.has(id) ? undefined : await session.getEntry(id);
      const quote = entry && quoteOf(entry);
      if (entry === undefined || quote === undefined) continue;
      budget.add(entry, quote, partFrom(quote.text, 0, Math.max(1, budget.room)));
    }
    if (budget.entryIds.length === 0) throw nothingToBring(entryIds.join(", "));
    const content = [
      "Brought here from another branch of this session, word for word:",
      budget.text,
      ...filesNote(compared),
    ].join("\n\n");
    const details = { entryIds, files: compared };
    return session.appendCustomMessageEntry({
      ...{ customType: BROUGHT_CUSTOM_TYPE, content, display: true, details },
    });
  }

  async #summarise(options: {
    readonly request: Extract<BringRequest, { readonly branchOf: string }>;
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
    const summary = [made.summary, ...filesNote(compared)].join("\n\n");
    const details = { ...branch.files, files: compared };
    return session.appendBranchSummary({ ...made, summary, details, fromId: branchOf });
  }

  async #typeOf(entryId: string): Promise<string> {
    return (await this.#options.session.getEntry(entryId))?.type ?? "custom_message";
  }
}

/** Whether an entry of the branch holds just what is asked for. */
function isBrought(entry: AnyEntry, request: BringRequest): boolean {
  if ("branchOf" in request) return isEntry(entry, "branch_summary") && entry.fromId === request.branchOf;
  if (!isEntry(entry, "custom_message") || entry.customType !== BROUGHT_CUSTOM_TYPE) return false;
  const { entryIds } = (entry.details ?? {}) as { readonly entryIds?: unknown };
  return JSON.stringify(entryIds) === JSON.stringify(request.entryIds);
}

/** The model must not take the files of now for those of the other branch. */
function filesNote(compared: readonly FileComparison[]): readonly string[] {
  if (compared.length === 0) return [];
  const lines = compared.map(({ path, hash, state }) => {
    const left = hash === undefined ? "" : ` (sha256 ${hash.slice(0, 12)})`;
    return `- ${path.replace(/[\r\n]+/g, " ")}${left}: ${STATES[state]}`;
  });
  return [`Files that it changed, and how they stand now:\n${lines.join("\n")}`];
}

const STATES: Readonly<Record<FileComparison["state"], string>> = {
  same: "as it left it",
  changed: "DIFFERENT now; read before you rely on it",
  missing: "MISSING now",
  unknown: "perhaps different now; read before you rely on it",
};

function nothingToBring(what: string): CodingAgentError {
  return new CodingAgentError({
    code: "nothing_to_bring",
    message: `There is nothing to bring from ${what}: it stands on this branch already, or holds no text.`,
  });
}
