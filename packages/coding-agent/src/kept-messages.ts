import type { AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import type { ContextEntry } from "@coppice/session";

/** What to store so that exactly the wanted messages stay: a boundary, and what to hide behind it. */
export interface KeptSpan {
  /** Undefined = nothing stays. */
  readonly firstKeptEntryId: string | undefined;
  readonly hiddenEntryIds: readonly string[];
}

/**
 * The span of a projection that keeps `kept` (the projection's own message objects, any order).
 *
 * A call and its results stay together: keeping one keeps all of them.
 */
export function keptSpan(entries: readonly ContextEntry[], kept: readonly AgentMessage[]): KeptSpan {
  const wanted = new Set(kept);
  const candidates = entries.filter(({ entry }) => entry.type !== "compaction");
  const stays = candidates.map(({ messages }) => messages.some((message) => wanted.has(message)));
  for (const group of callGroups(candidates)) {
    if (group.some((index) => stays[index])) for (const index of group) stays[index] = true;
  }
  const first = stays.indexOf(true);
  if (first === -1) return { firstKeptEntryId: undefined, hiddenEntryIds: [] };
  const hidden = candidates.filter((_, index) => index > first && !stays[index]);
  return {
    firstKeptEntryId: candidates[first]?.entry.id,
    hiddenEntryIds: hidden.map(({ entry }) => entry.id),
  };
}

/** Indexes of each answer with calls together with those of its results. */
function callGroups(entries: readonly ContextEntry[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  const groupOf = new Map<string, number[]>();
  entries.forEach(({ messages }, index) => {
    for (const message of messages) {
      if (message.role === "assistant" && toolCallsOf(message).length > 0) {
        const group = [index];
        groups.push(group);
        for (const call of toolCallsOf(message)) groupOf.set(call.id, group);
      } else if (message.role === "toolResult") {
        groupOf.get(message.toolCallId)?.push(index);
      }
    }
  });
  return groups;
}
