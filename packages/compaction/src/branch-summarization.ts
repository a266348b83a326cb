import type { AgentMessage } from "@coppice/agent";
import type { Usage } from "@coppice/ai";
import { type AnyEntry, buildContextEntries, type FileLists } from "@coppice/session";
import { estimateTokens } from "./estimate.ts";
import { scriptEstimator } from "./estimate-text.ts";
import { fileBlocks } from "./file-blocks.ts";
import { fileOperationsOf, mergeFileLists, summarisedFiles } from "./file-operations.ts";
import { activePins, type Pin, pinIdsOn, pinnedSection } from "./pins.ts";
import { recallHandlesOf } from "./recall-handles.ts";
import { changedDecisionsBlock, reversalsIn } from "./reversals/changed-decisions.ts";
import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS, usableWindow } from "./settings.ts";
import { generateBranchSummaryText } from "./summarise.ts";
import type { SummaryCallOptions } from "./summary-call.ts";
import { codeBlock, joinSections } from "./summary-sections.ts";

export interface BranchPaths {
  /** Root → the position that is left. */
  readonly oldBranch: readonly AnyEntry[];
  /** Root → the position that is entered. */
  readonly newBranch: readonly AnyEntry[];
}

/** What is left behind when moving between two positions. */
export interface BranchEntries {
  /** Below the common ancestor, oldest first. */
  readonly entries: readonly AnyEntry[];
  /** What those entries show of the conversation: the projection of the left path, without the shared part. */
  readonly messages: readonly AgentMessage[];
  /** Files that the left entries touched or that summaries among them vouch for. */
  readonly files: FileLists;
  /** Rules pinned on the left branch alone: they go on where the conversation goes on. */
  readonly pins: readonly Pin[];
  /** Where the originals of what they show stand, for the `recall` tool; undefined where they show nothing. */
  readonly recallHandles: string | undefined;
  readonly commonAncestorId: string | null;
}

export interface BranchSummaryResult {
  readonly summary: string;
  readonly details: FileLists;
  readonly usage: Usage | undefined;
}

export interface GenerateBranchSummaryInput extends SummaryCallOptions {
  readonly branch: BranchEntries;
  readonly settings?: CompactionSettings["branchSummary"];
  /** True when the model can call the `recall` tool: only then the summary names handles for it. */
  readonly isRecallActive?: boolean;
}

/** Share of the budget that the lists of files may take, and as much the quotes of changed decisions. */
const BLOCK_SHARE = 0.1;

/** Stored when the branch that is left has nothing to tell. */
export const EMPTY_BRANCH_SUMMARY = "Nothing was said on that branch.";

/** The entries from the deepest common ancestor to the left position, with what they show. Pure. */
export function collectEntriesForBranchSummary({ oldBranch, newBranch }: BranchPaths): BranchEntries {
  const shared = new Set(newBranch.map((entry) => entry.id));
  const ancestorAt = oldBranch.findLastIndex((entry) => shared.has(entry.id));
  const entries = oldBranch.slice(ancestorAt + 1);
  const left = new Set(entries.map((entry) => entry.id));
  const shown = buildContextEntries(oldBranch).entries.filter(({ entry }) => left.has(entry.id));
  const messages = shown.flatMap((one) => one.messages).filter((message) => !isFailedAttempt(message));
  return {
    entries,
    messages,
    files: mergeFileLists(summarisedFiles(entries), fileOperationsOf(messages)),
    pins: pinsOf(entries, newBranch),
    recallHandles: recallHandlesOf(shown, summaryIn(messages)),
    commonAncestorId: oldBranch[ancestorAt]?.id ?? null,
  };
}

/** What is known where the conversation goes on, in force or taken back, is not pinned there again. */
function pinsOf(entries: readonly AnyEntry[], newBranch: readonly AnyEntry[]): readonly Pin[] {
  const known = pinIdsOn(newBranch);
  return activePins(entries).filter(({ id }) => !known.has(id));
}

function summaryIn(messages: readonly AgentMessage[]): string | undefined {
  return messages.find((message) => message.role === "compactionSummary")?.summary;
}

/** Summary of a left branch: the newest messages that fit the budget. Throws `CompactionError`; stores nothing. */
export async function generateBranchSummary(input: GenerateBranchSummaryInput): Promise<BranchSummaryResult> {
  const { branch, settings = DEFAULT_COMPACTION_SETTINGS.branchSummary, estimator = scriptEstimator } = input;
  const details = branch.files;
  const window = usableWindow(input.model.contextWindow);
  const maxTokens = window - Math.min(settings.reserveTokens, Math.floor(window / 2));
  const limit = { maxTokens: Math.floor(maxTokens * BLOCK_SHARE), estimator };
  const withBlocks = (text: string) =>
    joinSections(
      text,
      changedDecisionsBlock(reversalsIn(branch.messages), { ...limit, text }),
      input.isRecallActive === true && branch.recallHandles !== undefined
        ? codeBlock("recall-handles", branch.recallHandles)
        : "",
      fileBlocks(branch.files, limit),
      pinnedSection(branch.pins),
    );
  if (branch.messages.length === 0) {
    return { summary: withBlocks(EMPTY_BRANCH_SUMMARY), details, usage: undefined };
  }
  const generated = await generateBranchSummaryText({
    maxSummaryTokens: settings.maxSummaryTokens,
    ...input,
    messages: newestWithin(branch.messages, maxTokens, input),
  });
  return { summary: withBlocks(generated.text), details, usage: generated.usage };
}

/** The newest messages whose sizes sum to at most `maxTokens`; always at least one. */
function newestWithin(
  messages: readonly AgentMessage[],
  maxTokens: number,
  { estimator }: SummaryCallOptions,
): readonly AgentMessage[] {
  let tokens = 0;
  let from = messages.length;
  while (from > 0) {
    const message = messages[from - 1];
    tokens += message === undefined ? 0 : estimateTokens(message, estimator);
    if (tokens > maxTokens && from < messages.length) break;
    from--;
  }
  return messages.slice(from);
}

/** A reply that failed tells nothing of what the branch reached. */
function isFailedAttempt(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "error";
}
