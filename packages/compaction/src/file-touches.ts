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

/** The file touches of a conversation. */
export function fileTouchesOf(messages: readonly AgentMessage[]): FileTouches {
  const draft = newFileTouches();
  for (const message of messages) addFileTouches(draft, message);
  return finishedFileTouches(draft);
}

/** File touches that are still collected, by whoever walks over the messages. */
export interface FileTouchesDraft {
  readonly calls: FileCall[];
  /** The id of each call. */
  readonly ids: string[];
  readonly reported: FileLists[];
  readonly failed: Set<FileCall>;
  /** Call id → the newest call of that id, since some servers use ids again; made when the first call fails. */
  newest: Map<string, FileCall> | undefined;
  /** Whether any call failed, of whatever tool. */
  hasFailure: boolean;
}

/** Nothing collected yet. */
export function newFileTouches(): FileTouchesDraft {
  return { calls: [], ids: [], reported: [], failed: new Set(), newest: undefined, hasFailure: false };
}

/** Adds what one more message says; messages come in order. */
export function addFileTouches(draft: FileTouchesDraft, message: AgentMessage): void {
  if (message.role === "assistant") {
    if (Array.isArray(message.content)) addCalls(draft, message.content);
  } else if (message.role === "toolResult") {
    if (message.isError) addFailure(draft, message.toolCallId);
    if (message.details !== undefined) draft.reported.push(fileListsOf(message.details));
  }
}

/** What was collected. */
export function finishedFileTouches({ calls, failed, reported }: FileTouchesDraft): FileTouches {
  return { calls: failed.size === 0 ? calls : calls.filter((call) => !failed.has(call)), reported };
}

function addCalls({ calls, ids, newest }: FileTouchesDraft, content: AssistantMessage["content"]): void {
  for (let index = 0; index < content.length; index++) {
    const block = content[index];
    if (block?.type !== "toolCall") continue;
    const isModification = MODIFY_TOOLS.has(block.name);
    if (!isModification && !READ_TOOLS.has(block.name)) continue;
    const { path } = block.arguments;
    if (typeof path !== "string" || path === "") continue;
    const call = { path, operation: block.name, isModification };
    calls.push(call);
    ids.push(block.id);
    newest?.set(block.id, call);
  }
}

function addFailure(draft: FileTouchesDraft, callId: string): void {
  draft.hasFailure = true;
  draft.newest ??= new Map(draft.calls.map((call, index) => [draft.ids[index] ?? "", call]));
  const call = draft.newest.get(callId);
  if (call !== undefined) draft.failed.add(call);
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
