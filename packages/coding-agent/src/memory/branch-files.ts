import type { AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import { fileOperationsOf } from "@coppice/compaction";
import { type AnyEntry, isEntry } from "@coppice/session";
import { applyEdits } from "../tools/edit/apply-edits.ts";
import { hashOf } from "../tools/file-ledger.ts";

/** A file that a branch changed, as it left it. */
export interface BranchFile {
  /** As the model wrote it. */
  readonly path: string;
  /** SHA-256 of its content in hexadecimal; undefined where the calls do not tell. */
  readonly hash: string | undefined;
  /** When it was last touched there, Unix milliseconds. */
  readonly touchedAtMs: number;
}

type Call = ReturnType<typeof toolCallsOf>[number];

/**
 * The files that branches changed, as each of them left them; what two of them left alike stands once. Pure.
 *
 * The entries themselves tell, not what is shown of them: a compaction hides no change.
 */
export function filesOfBranches(branches: readonly (readonly AnyEntry[])[]): readonly BranchFile[] {
  const files = new Map<string, BranchFile>();
  for (const file of branches.flatMap((entries) => branchFilesOf(entries.flatMap(messageOf)))) {
    files.set(JSON.stringify([file.path, file.hash ?? file.touchedAtMs]), file);
  }
  return [...files.values()];
}

function messageOf(entry: AnyEntry): readonly AgentMessage[] {
  if (!isEntry(entry, "message")) return [];
  const { message } = entry;
  // A reply that failed had its calls taken back.
  return message.role === "assistant" && message.stopReason === "error" ? [] : [message];
}

/** The files that messages of a branch changed, and what is known of their content by the calls alone. Pure. */
function branchFilesOf(messages: readonly AgentMessage[]): readonly BranchFile[] {
  const calls = new Map<string, Call>();
  const contents = new Map<string, string | undefined>();
  const touched = new Map<string, number>();
  for (const message of messages) {
    if (message.role === "assistant") for (const call of toolCallsOf(message)) calls.set(call.id, call);
    if (message.role !== "toolResult") continue;
    const call = calls.get(message.toolCallId);
    const path = call?.arguments.path;
    if (call !== undefined && typeof path === "string" && !message.isError) {
      touched.set(path, message.timestamp);
      contents.set(path, contentAfter(call, contents.get(path)));
    }
    // A command may have changed any of them; it names those it is known to have changed.
    for (const other of fileOperationsOf([message]).modifiedFiles) {
      touched.set(other, message.timestamp);
      contents.delete(other);
    }
  }
  return fileOperationsOf(messages).modifiedFiles.map((path) => {
    const content = contents.get(path);
    return {
      path,
      hash: content === undefined ? undefined : hashOf(Buffer.from(content)),
      touchedAtMs: touched.get(path) ?? 0,
    };
  });
}

/** What a file holds after a call; undefined where that cannot be told. */
function contentAfter({ name, arguments: args }: Call, before: string | undefined): string | undefined {
  if (name === "write") return typeof args.content === "string" ? args.content : undefined;
  if (name !== "edit" || before === undefined) return before;
  try {
    return applyEdits(before, args.edits as Parameters<typeof applyEdits>[1], String(args.path)).text;
  } catch {
    return undefined;
  }
}
