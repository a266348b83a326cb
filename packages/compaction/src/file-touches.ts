import type { AgentMessage } from "@coppice/agent";
import type { AssistantMessage } from "@coppice/ai";
import type { FileLists } from "@coppice/session";

/** What messages say about files. */
export interface FileTouches {
  /** Calls of file tools that did not fail, in order. */
  readonly calls: readonly FileCall[];
  /** Lists that tool results report, of commands that changed files for example. */
  readonly reported: readonly FileLists[];
}

export interface FileCall {
  readonly path: string;
  /** The tool's name. */
  readonly operation: string;
  readonly isModification: boolean;
}

const READ_TOOLS: ReadonlySet<string> = new Set(["read"]);
const MODIFY_TOOLS: ReadonlySet<string> = new Set(["write", "edit"]);

/** The file touches of a conversation, in one pass: histories are long. */
export function fileTouchesOf(messages: readonly AgentMessage[]): FileTouches {
  const calls: FileCall[] = [];
  const reported: FileLists[] = [];
  const failed = new Set<FileCall>();
  /** Call id → the newest call of that id: some servers use ids again. */
  const newest = new Map<string, FileCall>();
  for (const message of messages) {
    if (message.role === "assistant") addCalls(message, calls, newest);
    if (message.role !== "toolResult") continue;
    const call = message.isError ? newest.get(message.toolCallId) : undefined;
    if (call !== undefined) failed.add(call);
    if (message.details !== undefined) reported.push(fileListsOf(message.details));
  }
  return { calls: failed.size === 0 ? calls : calls.filter((call) => !failed.has(call)), reported };
}

function addCalls({ content }: AssistantMessage, calls: FileCall[], newest: Map<string, FileCall>): void {
  if (!Array.isArray(content)) return;
  for (const block of content) {
    if (block.type !== "toolCall") continue;
    const isModification = MODIFY_TOOLS.has(block.name);
    const { path } = block.arguments;
    if (!(isModification || READ_TOOLS.has(block.name)) || typeof path !== "string" || path === "") continue;
    const call = { path, operation: block.name, isModification };
    calls.push(call);
    newest.set(block.id, call);
  }
}

/** The file lists inside any value; empty where it has none. */
export function fileListsOf(value: unknown): FileLists {
  const lists = (typeof value === "object" && value !== null ? value : {}) as Partial<
    Record<keyof FileLists, unknown>
  >;
  return { readFiles: stringsOf(lists.readFiles), modifiedFiles: stringsOf(lists.modifiedFiles) };
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string" && item !== "") : [];
}
