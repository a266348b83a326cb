import type { AgentMessage } from "@coppice/agent";
import { type AssistantMessage, toolCallsOf } from "@coppice/ai";
import { type AnyEntry, type FileLists, isEntry } from "@coppice/session";
import type { TokenEstimator } from "./estimate-text.ts";

const READ_TOOLS: ReadonlySet<string> = new Set(["read"]);
const MODIFY_TOOLS: ReadonlySet<string> = new Set(["write", "edit"]);

/** The files that messages read and modified, by their tool calls and by what tool results report. Calls that failed do not count. */
export function fileOperationsOf(messages: readonly AgentMessage[]): FileLists {
  const failed = failedCallIds(messages);
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") addCalledFiles(message, { failed, read, modified });
    if (message.role !== "toolResult" || message.details === undefined) continue;
    const reported = fileListsOf(message.details);
    for (const path of reported.readFiles) read.add(path);
    for (const path of reported.modifiedFiles) modified.add(path);
  }
  return mergeFileLists({ readFiles: [...read], modifiedFiles: [...modified] });
}

function addCalledFiles(
  { content }: AssistantMessage,
  files: {
    readonly failed: ReadonlySet<string>;
    readonly read: Set<string>;
    readonly modified: Set<string>;
  },
): void {
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (block.type !== "toolCall" || files.failed.has(block.id)) continue;
    const { path } = block.arguments;
    if (typeof path !== "string" || path === "") continue;
    if (READ_TOOLS.has(block.name)) files.read.add(path);
    if (MODIFY_TOOLS.has(block.name)) files.modified.add(path);
  }
}

/** The `count` most recently touched files, newest first, each with its last operation; calls that failed do not count. */
export function recentFilesOf(
  messages: readonly AgentMessage[],
  count: number,
): readonly { readonly path: string; readonly operation: string }[] {
  const failed = failedCallIds(messages);
  const last = new Map<string, string>();
  for (let index = messages.length - 1; index >= 0 && last.size < count; index--) {
    const message = messages[index];
    if (message?.role !== "assistant") continue;
    for (const call of toolCallsOf(message).toReversed()) {
      const { path } = call.arguments;
      const isFileTool = READ_TOOLS.has(call.name) || MODIFY_TOOLS.has(call.name);
      if (!isFileTool || typeof path !== "string" || path === "" || failed.has(call.id)) continue;
      if (!last.has(path)) last.set(path, call.name);
    }
  }
  return [...last].slice(0, count).map(([path, operation]) => ({ path, operation }));
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

/** The file lists inside any value; empty where it has none. */
export function fileListsOf(value: unknown): FileLists {
  const lists = (typeof value === "object" && value !== null ? value : {}) as Partial<
    Record<keyof FileLists, unknown>
  >;
  return { readFiles: stringsOf(lists.readFiles), modifiedFiles: stringsOf(lists.modifiedFiles) };
}

/** How much room file blocks have. */
export interface FileBlockLimit {
  readonly maxTokens: number;
  readonly estimator: TokenEstimator;
}

/**
 * The `<read-files>` and `<modified-files>` blocks that end a summary; empty lists leave no block.
 *
 * With a limit, modified files come first and what has no room is counted: the whole lists stand in `details`.
 */
export function fileBlocks(files: FileLists, limit?: FileBlockLimit): string {
  const modified = block("modified-files", files.modifiedFiles, limit);
  const left = limit && {
    ...limit,
    maxTokens: limit.maxTokens - limit.estimator.estimateText(modified),
  };
  return [block("read-files", files.readFiles, left), modified].filter((text) => text !== "").join("\n\n");
}

function block(tag: string, paths: readonly string[], limit: FileBlockLimit | undefined): string {
  const render = (count: number) => {
    const rest = paths.length - count;
    const lines = paths.slice(0, count).map(oneLine);
    return `<${tag}>\n${[...lines, ...(rest > 0 ? [`(${rest} more)`] : [])].join("\n")}\n</${tag}>`;
  };
  let count = paths.length;
  const isTooLong = () =>
    limit !== undefined && limit.estimator.estimateText(render(count)) > limit.maxTokens;
  while (count > 0 && isTooLong()) count = Math.floor(count * 0.8);
  return paths.length === 0 || (count === 0 && isTooLong()) ? "" : render(count);
}

/** A path cannot end its block or begin another line. */
export function oneLine(path: string): string {
  return path.replace(/[\r\n]+/g, " ").replaceAll("</", "<\\/");
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item !== "") : [];
}

function failedCallIds(messages: readonly AgentMessage[]): ReadonlySet<string> {
  const failed = new Set<string>();
  for (const message of messages) {
    if (message.role === "toolResult" && message.isError) failed.add(message.toolCallId);
  }
  return failed;
}
