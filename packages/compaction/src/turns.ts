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
 * Per index from `from` on, 1 where a cut just before it would part a call from its result. Length = entries.length + 1.
 *
 * A call that nobody answered yet counts as open to the end while its turn is unfinished, since the result may follow.
 */
export function splitPairs(entries: readonly ContextEntry[], from = 0): Uint8Array {
  const splits = new Uint8Array(entries.length + 1);
  /** Results met so far whose call stands further up: call id → index of the last one. */
  const awaited = new Map<string, number>();
  let isUnfinished = true;
  for (let index = entries.length - 1; index >= from || (index >= 0 && awaited.size > 0); index--) {
    for (const message of entries[index]?.messages.toReversed() ?? []) {
      if (message.role === "user") isUnfinished = false;
      if (message.role === "toolResult" && !awaited.has(message.toolCallId)) {
        awaited.set(message.toolCallId, index);
      }
      if (message.role !== "assistant") continue;
      for (const { id } of toolCallsOf(message)) {
        const last =
          awaited.get(id) ?? (isUnfinished && isSuccessfulAnswer(message) ? entries.length : index);
        splits.fill(1, index + 1, last + 1);
        awaited.delete(id);
      }
    }
  }
  return splits;
}

/** Index of the first input that no successful answer has followed yet; entries.length when all was seen. */
export function firstUnseenInput(entries: readonly ContextEntry[]): number {
  const answered = entries.findLastIndex(({ messages }) => messages.some(isSuccessfulAnswer));
  for (let index = answered + 1; index < entries.length; index++) {
    if (beginsTurn(entries, index)) return index;
  }
  return entries.length;
}

function isSuccessfulAnswer(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted";
}
