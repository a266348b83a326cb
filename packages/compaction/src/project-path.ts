import type { AgentMessage } from "@coppice/agent";
import { type AnyEntry, type ContextEntry, isEntry, type SessionEntry } from "@coppice/session";

/** Root → position, as the projection shows it: the latest compaction first, then what it kept, then what followed. */
export function projectPath(path: readonly AnyEntry[]): readonly ContextEntry[] {
  const edits = latestEdits(path);
  const isUndone = (entry: AnyEntry) => edits.get(entry.id)?.replacement === null;
  const at = path.findLastIndex((entry) => isEntry(entry, "compaction") && !isUndone(entry));
  const visible = at === -1 ? path : visibleEntries(path, at);
  return visible
    .map((entry) => ({ entry, messages: messagesOf(entry, edits) }))
    .filter(({ messages }) => messages.length > 0);
}

function visibleEntries(path: readonly AnyEntry[], at: number): readonly AnyEntry[] {
  const compaction = path[at] as SessionEntry<"compaction">;
  const before = path.slice(0, at);
  const keptFrom = before.findIndex((entry) => entry.id === compaction.firstKeptEntryId);
  const kept = keptFrom === -1 || compaction.retainedTail !== undefined ? [] : before.slice(keptFrom);
  return [compaction, ...kept.filter((entry) => entry.type !== "compaction"), ...path.slice(at + 1)];
}

function latestEdits(path: readonly AnyEntry[]): ReadonlyMap<string, SessionEntry<"context_edit">> {
  return new Map(
    path.filter((entry) => isEntry(entry, "context_edit")).map((edit) => [edit.targetId, edit] as const),
  );
}

function messagesOf(
  entry: AnyEntry,
  edits: ReadonlyMap<string, SessionEntry<"context_edit">>,
): readonly AgentMessage[] {
  const edit = edits.get(entry.id);
  if (edit?.replacement === null) return [];
  const messages = plainMessagesOf(entry);
  const replacement = edit?.replacement;
  if (replacement === undefined || replacement === null) return messages;
  return messages.map((message) => ({ ...message, content: replacement.content }) as AgentMessage);
}

function plainMessagesOf(entry: AnyEntry): readonly AgentMessage[] {
  const timestamp = Date.parse(entry.timestamp);
  if (isEntry(entry, "message")) return entry.message.role === "system" ? [] : [entry.message];
  if (isEntry(entry, "compaction")) {
    const { summary, tokensBefore, retainedTail = [] } = entry;
    return [{ role: "compactionSummary", summary, tokensBefore, timestamp }, ...retainedTail];
  }
  if (isEntry(entry, "branch_summary")) {
    return [{ role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp }];
  }
  if (isEntry(entry, "custom_message")) {
    const { customType, content, display, details } = entry;
    return [{ role: "custom", customType, content, display, details, timestamp }];
  }
  return [];
}
