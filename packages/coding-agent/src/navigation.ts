import type { HookRunner } from "@coppice/agent";
import type { StreamFunction, Usage } from "@coppice/ai";
import {
  type BranchEntries,
  collectEntriesForBranchSummary,
  generateBranchSummary,
  type Pin,
} from "@coppice/compaction";
import type { AnyEntry, Session } from "@coppice/session";
import { chosenPosition } from "./chosen-position.ts";
import type { CompactionRun } from "./compaction-run.ts";
import { completeWithRetry } from "./complete-with-retry.ts";
import { CodingAgentError } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { PendingWrites } from "./pending-writes.ts";
import { carriedPins, endingWithPins } from "./pinned-summary.ts";
import type { RetrySettings } from "./retry-policy.ts";
import type { FileRewind } from "./rewind/file-rewind.ts";
import type { RestoreOutcome } from "./rewind/restore-files.ts";
import { redactSecrets } from "./secrets/redactor.ts";
import type { Sleep } from "./sleep.ts";

export interface NavigationOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly choice: ModelChoice;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly events: EventBus;
  readonly compaction: CompactionRun;
  readonly streamFunction: StreamFunction;
  readonly retry: RetrySettings;
  readonly sleep: Sleep;
  /** Absent = nobody keeps what files held. */
  readonly rewind: FileRewind | undefined;
  readonly newId: () => string;
}

export interface NavigateRequest {
  /** Where to go; null = before the first entry. */
  readonly entryId: string | null;
  readonly summarize: boolean;
  readonly instructions?: string | undefined;
  /** Files that the run changed are put back with the talk. */
  readonly restoreFiles?: boolean;
  readonly signal: AbortSignal;
}

export interface NavigateResult {
  /** Text of the chosen user message, for editing. */
  readonly editorText: string | undefined;
  readonly summaryEntryId: string | undefined;
  /** Only where files were to be put back. */
  readonly files?: RestoreOutcome;
}

/** A branch summary as the session stores it. */
interface Summary {
  readonly summary: string;
  readonly details?: unknown;
  readonly usage?: Usage;
  readonly fromHook: boolean;
}

interface LeftBranch extends Summary {
  /** Its rules go on with its summary. */
  readonly pins: readonly Pin[];
}

/** Moves in the session's tree. Nothing is ever deleted; the branch that is left can be summarised. */
export class Navigation {
  readonly #options: NavigationOptions;

  constructor(options: NavigationOptions) {
    this.#options = options;
  }

  /** Throws `unknown_entry`, `navigation_cancelled`, or the summary's own error; the position is then unchanged. */
  async navigate(request: NavigateRequest): Promise<NavigateResult> {
    const { session, writes, hooks, events } = this.#options;
    await writes.flushOrThrow();
    const { targetId, editorText } = await chosenPosition(session, request.entryId);
    const oldLeafId = session.getLeafId();
    if (targetId === oldLeafId) return { editorText, summaryEntryId: undefined };
    const oldBranch = await session.getBranch();
    const summary = await this.#summary(request, targetId);
    request.signal.throwIfAborted();
    let summaryEntryId: string | undefined;
    if (summary === undefined) await session.moveTo(targetId);
    else summaryEntryId = await this.#enter(targetId, summary);
    const newLeafId = session.getLeafId();
    const files = request.restoreFiles === true ? await this.#restoreFiles(oldBranch, targetId) : undefined;
    await events.emit({ type: "session_moved", leafId: newLeafId });
    await hooks.run("session_tree", { oldLeafId, newLeafId, summaryEntryId }, request.signal);
    return { editorText, summaryEntryId, ...(files === undefined ? {} : { files }) };
  }

  #enter(targetId: string | null, { pins, ...fields }: LeftBranch): Promise<string> {
    const { session } = this.#options;
    return session.branchWithSummary(targetId, fields, carriedPins(pins));
  }

  async #restoreFiles(
    oldBranch: readonly AnyEntry[],
    targetId: string | null,
  ): Promise<RestoreOutcome | undefined> {
    const { rewind, events, newId } = this.#options;
    if (rewind === undefined) return undefined;
    const plan = await rewind.plan(oldBranch, await rewind.branchTo(targetId));
    const outcome = await rewind.restore(plan, { restoreId: `restore-${newId()}`, isDryRun: false });
    await events.emit({ type: "files_restored", ...outcome });
    return outcome;
  }

  async #summary(request: NavigateRequest, targetId: string | null): Promise<LeftBranch | undefined> {
    const { session, hooks } = this.#options;
    const { summarize, instructions, signal } = request;
    const oldBranch = await session.getBranch();
    const newBranch = targetId === null ? [] : await session.getBranch(targetId);
    const branch = collectEntriesForBranchSummary({ oldBranch, newBranch });
    const entriesToSummarize = branch.entries;
    const answer = await hooks.run(
      "session_before_tree",
      { targetId, oldLeafId: session.getLeafId(), entriesToSummarize, summarize, instructions },
      signal,
    );
    if (answer?.cancel === true) {
      throw new CodingAgentError({
        code: "navigation_cancelled",
        message: "An extension cancelled the navigation.",
      });
    }
    if (answer?.summary !== undefined) {
      const { summary: text, details, usage } = answer.summary;
      return {
        summary: redactSecrets(endingWithPins(text, branch.pins)),
        details,
        ...(usage === undefined ? {} : { usage }),
        fromHook: true,
        pins: branch.pins,
      };
    }
    if (!summarize || branch.messages.length === 0) return undefined;
    return { ...(await this.summarise(branch, request)), pins: branch.pins };
  }

  /** Asks the model for a summary of a branch; stores nothing. Throws the summary's own error. */
  async summarise(
    branch: BranchEntries,
    { instructions, signal }: Pick<NavigateRequest, "instructions" | "signal">,
  ): Promise<Summary> {
    const { choice, compaction, streamFunction, retry: settings, sleep } = this.#options;
    const { summary, details, usage } = await generateBranchSummary({
      branch,
      settings: compaction.settings().branchSummary,
      isRecallActive: compaction.isRecallActive,
      complete: completeWithRetry({ streamFunction, settings, sleep, signal }),
      model: choice.model,
      thinkingLevel: choice.thinkingLevel,
      ...(instructions === undefined ? {} : { customInstructions: instructions }),
      signal,
    });
    return {
      summary: redactSecrets(summary),
      details,
      ...(usage === undefined ? {} : { usage }),
      fromHook: false,
    };
  }
}
