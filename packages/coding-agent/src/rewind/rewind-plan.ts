import type { AnyEntry } from "@coppice/session";
import { isEntry } from "@coppice/session";
import type { EarlierState, FileChange } from "./file-state.ts";

/** A tool call of a branch and the time in which it can have changed files, Unix milliseconds. */
interface BranchCall {
  readonly toolCallId: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What is to become of one file. */
export interface PlannedFile {
  readonly path: string;
  /** What it holds where the run left it; something else there now was not done by the run. */
  readonly expected: EarlierState;
  readonly target: EarlierState;
  /** A tool of the run wrote the file where there was none. */
  readonly isMadeByRun: boolean;
}

/** Marks a message that tells of files that were put back; its details hold the id of that change. */
export const FILES_RESTORED_TYPE = "coppice.files_restored";

/** The calls of a branch, oldest first; `branch` is root → position. */
function callsOf(branch: readonly AnyEntry[]): readonly BranchCall[] {
  const calls: { toolCallId: string; fromMs: number; untilMs: number }[] = [];
  for (const entry of branch) {
    if (isEntry(entry, "custom_message") && entry.customType === FILES_RESTORED_TYPE) {
      const { restoreId } = (entry.details ?? {}) as { restoreId?: unknown };
      if (typeof restoreId === "string") {
        calls.push({ toolCallId: restoreId, fromMs: 0, untilMs: Number.POSITIVE_INFINITY });
      }
    }
    if (!isEntry(entry, "message")) continue;
    const { message } = entry;
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type !== "toolCall") continue;
        calls.push({ toolCallId: block.id, fromMs: message.timestamp, untilMs: Number.POSITIVE_INFINITY });
      }
    } else if (message.role === "toolResult") {
      const call = calls.findLast(({ toolCallId }) => toolCallId === message.toolCallId);
      if (call !== undefined) call.untilMs = message.timestamp;
    }
  }
  return calls;
}

/** The ids of all calls and restorations that entries tell of, in any order. */
export function callIdsOf(entries: readonly AnyEntry[]): ReadonlySet<string> {
  return new Set(callsOf(entries).map(({ toolCallId }) => toolCallId));
}

/**
 * Which files differ between two positions of the tree by what the run did on the way, and how.
 *
 * `here` and `there` are the branches to both positions, root first.
 */
export function planRewind(options: {
  readonly here: readonly AnyEntry[];
  readonly there: readonly AnyEntry[];
  readonly changes: readonly FileChange[];
}): readonly PlannedFile[] {
  const [here, there] = [changesOf(options.here, options.changes), changesOf(options.there, options.changes)];
  const left = without(here, there);
  const entered = without(there, here);
  const paths = [...new Set([...left, ...entered].map(({ path }) => path))].sort();
  return paths
    .map((path) => ({
      path,
      expected: known(last(here, path), first(entered, path)),
      target: known(last(there, path), first(left, path)),
      isMadeByRun: isMadeByRun(left, path),
    }))
    .filter(
      ({ expected, target }) => target === "unknown" || JSON.stringify(expected) !== JSON.stringify(target),
    );
}

/** The changes of a branch in the order of its calls. */
function changesOf(branch: readonly AnyEntry[], changes: readonly FileChange[]): readonly FileChange[] {
  const byCall = Map.groupBy(changes, ({ toolCallId }) => toolCallId);
  return callsOf(branch).flatMap(({ toolCallId, fromMs, untilMs }) =>
    (byCall.get(toolCallId) ?? []).filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs),
  );
}

function without(changes: readonly FileChange[], others: readonly FileChange[]): readonly FileChange[] {
  const known = new Set(others);
  return changes.filter((change) => !known.has(change));
}

/** No file (null) is a state as well. */
function known(...states: readonly (EarlierState | undefined)[]): EarlierState {
  const state = states.find((candidate) => candidate !== undefined);
  return state === undefined ? "unknown" : state;
}

/** By the change after which the file is there; what was only found may be somebody else's. */
function isMadeByRun(changes: readonly FileChange[], path: string): boolean {
  const making = changes.findLast((change) => change.path === path && change.before === null);
  return making !== undefined && making.isFound !== true;
}

function last(changes: readonly FileChange[], path: string): EarlierState | undefined {
  return changes.findLast((change) => change.path === path)?.after;
}

function first(changes: readonly FileChange[], path: string): EarlierState | undefined {
  return changes.find((change) => change.path === path)?.before;
}
