import type { AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import type { ContextEntry } from "@coppice/session";

/** Roles that may begin the kept part: everything but results, and the summary that the new one replaces. */
const CUT_ROLES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "custom",
  "bashExecution",
  "branchSummary",
]);

/** Roles that speak for the user and so begin a turn. */
const TURN_ROLES: ReadonlySet<string> = new Set(["user", "custom", "bashExecution", "branchSummary"]);

/** True where an entry may be the first one kept, its calls and results aside. */
export function mayBeginKept(entry: ContextEntry): boolean {
  const role = entry.messages[0]?.role;
  return role !== undefined && CUT_ROLES.has(role);
}

/** True where an entry begins a turn: input of the user or of an extension, after an answer. */
export function beginsTurn(entries: readonly ContextEntry[], index: number): boolean {
  const role = entries[index]?.messages[0]?.role;
  return role !== undefined && TURN_ROLES.has(role);
}

/**
 * Per index, whether a cut just before it would part a call from its result. Length = entries.length + 1.
 *
 * A call that nobody answered yet counts as open to the end while its turn is unfinished, since the result may follow.
 */
export function splitPairs(entries: readonly ContextEntry[]): readonly boolean[] {
  const splits: boolean[] = new Array(entries.length + 1).fill(false);
  const openCalls = new Map<string, number>();
  const mark = (from: number, to: number) => splits.fill(true, from + 1, to + 1);
  entries.forEach(({ messages }, index) => {
    for (const message of messages) {
      for (const id of answerableCalls(message)) openCalls.set(id, index);
      if (message.role === "user") openCalls.clear();
      if (message.role !== "toolResult") continue;
      const calledAt = openCalls.get(message.toolCallId) ?? findCall(entries, index, message.toolCallId);
      if (calledAt !== undefined) mark(calledAt, index);
      openCalls.delete(message.toolCallId);
    }
  });
  for (const calledAt of openCalls.values()) mark(calledAt, entries.length);
  return splits;
}

/** Index of the first input that no successful answer has followed yet; entries.length when all was seen. */
export function firstUnseenInput(entries: readonly ContextEntry[]): number {
  const answered = entries.findLastIndex(({ messages }) => messages.some(isSuccessfulAnswer));
  const input = entries.findIndex(
    ({ messages }, index) => index > answered && TURN_ROLES.has(messages[0]?.role ?? ""),
  );
  return input === -1 ? entries.length : input;
}

function isSuccessfulAnswer(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted";
}

function answerableCalls(message: AgentMessage): readonly string[] {
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  return isSuccessfulAnswer(message) ? toolCallsOf(message).map((call) => call.id) : [];
}

function findCall(entries: readonly ContextEntry[], before: number, toolCallId: string): number | undefined {
  for (let index = before; index >= 0; index--) {
    const hasCall = entries[index]?.messages.some(
      (message) =>
        message.role === "assistant" && toolCallsOf(message).some((call) => call.id === toolCallId),
    );
    if (hasCall) return index;
  }
  return undefined;
}
