import type { AgentMessage } from "@coppice/agent";
import { type AnyEntry, type FileLists, isEntry } from "@coppice/session";
import { type FileCall, type FileTouches, fileListsOf, fileTouchesOf } from "./file-touches.ts";

/** The files that messages read and modified, by their tool calls and by what tool results report. Calls that failed do not count. */
export function fileOperationsOf(messages: readonly AgentMessage[]): FileLists {
  return filesTouched(fileTouchesOf(messages));
}

/** The lists of touched files. */
export function filesTouched({ calls, reported }: FileTouches): FileLists {
  const modified = new Set<string>();
  const read = new Set<string>();
  for (const { path, isModification } of calls) (isModification ? modified : read).add(path);
  return mergeFileLists({ readFiles: [...read], modifiedFiles: [...modified] }, ...reported);
}

/** The `count` most recently touched files, newest first, each with its last operation. */
export function recentFilesOf(
  { calls }: Pick<FileTouches, "calls">,
  count: number,
): readonly { readonly path: string; readonly operation: string }[] {
  const last = new Map<string, string>();
  for (let index = calls.length - 1; index >= 0 && last.size < count; index--) {
    const { path, operation } = calls[index] as FileCall;
    if (!last.has(path)) last.set(path, operation);
  }
  return [...last].map(([path, operation]) => ({ path, operation }));
}

/** Union of lists, sorted; a file both read and modified is listed as modified. */
export function mergeFileLists(...lists: readonly FileLists[]): FileLists {
  const modified = new Set(lists.flatMap((list) => list.modifiedFiles));
  const read = new Set(lists.flatMap((list) => list.readFiles).filter((path) => !modified.has(path)));
  return { readFiles: [...read].sort(), modifiedFiles: [...modified].sort() };
}

/**
 * The lists that the summaries among these entries vouch for.
 *
 * A checkpoint is always ours; `details` count only where the built-in summariser wrote them, not a hook.
 */
export function summarisedFiles(entries: readonly AnyEntry[]): FileLists {
  const lists: FileLists[] = [];
  for (const entry of entries) {
    const isCompaction = isEntry(entry, "compaction");
    if (!isCompaction && !isEntry(entry, "branch_summary")) continue;
    if (entry.fromHook !== true) lists.push(fileListsOf(entry.details));
    if (isCompaction) lists.push(fileListsOf(entry.checkpoint?.files));
  }
  return mergeFileLists(...lists);
}

/** A path cannot end its block or begin another line. */
export function oneLine(path: string): string {
  return path.replace(/[\r\n]+/g, " ").replaceAll("</", "<\\/");
}
