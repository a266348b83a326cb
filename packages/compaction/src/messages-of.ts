import type { AgentMessage } from "@coppice/agent";
import type { ContextEntry } from "@coppice/session";

/** The messages of the entries `from` … `to`, in order: projections are long, so that nothing is copied on the way. */
export function messagesOf(
  entries: readonly ContextEntry[],
  from = 0,
  to = entries.length,
): readonly AgentMessage[] {
  const found: AgentMessage[] = [];
  for (let index = from; index < to; index++) {
    const { messages } = entries[index] as ContextEntry;
    for (let at = 0; at < messages.length; at++) found.push(messages[at] as AgentMessage);
  }
  return found;
}
