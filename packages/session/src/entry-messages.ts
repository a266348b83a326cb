import type { AgentMessage } from "@coppice/agent";
import { type ImageContent, type TextContent, ZERO_COST, ZERO_USAGE } from "@coppice/ai";
import { type AnyEntry, type EntryMap, isEntry, type SessionEntry } from "./entry.ts";

/** Turns a `custom` entry of one type into messages that the model sees. */
export type EntryProjector = (entry: SessionEntry<"custom">) => readonly AgentMessage[];

/** Projectors by `customType`. */
export type EntryProjectors = Readonly<Record<string, EntryProjector>>;

export type EditReplacement = EntryMap["context_edit"]["replacement"];

/**
 * The messages that one entry becomes, without edits; nothing for kinds that do not reach the model.
 *
 * Null content reads as empty and missing usage as zero. System messages give nothing: they are state.
 */
export function sessionEntryToContextMessages(
  entry: AnyEntry,
  projectors: EntryProjectors = {},
): readonly AgentMessage[] {
  if (isEntry(entry, "message")) return messageOf(entry.message);
  if (isEntry(entry, "compaction")) return compactionMessages(entry);
  if (isEntry(entry, "branch_summary")) {
    if (entry.summary === "") return [];
    const { summary, fromId } = entry;
    return [{ role: "branchSummary", summary, fromId, timestamp: timeOf(entry) }];
  }
  if (isEntry(entry, "custom_message")) {
    const { customType, content, display, details } = entry;
    const more = details === undefined ? {} : { details };
    return [
      { role: "custom", customType, content: content ?? "", display, ...more, timestamp: timeOf(entry) },
    ];
  }
  if (isEntry(entry, "custom") && Object.hasOwn(projectors, entry.customType)) {
    return projectors[entry.customType]?.(entry) ?? [];
  }
  return [];
}

/** The messages of an entry whose content an edit hides (null) or replaces. Summaries are hidden or stay as they are. */
export function editedMessages(
  entry: AnyEntry,
  messages: readonly AgentMessage[],
  replacement: EditReplacement,
): readonly AgentMessage[] {
  if (replacement === null) return [];
  if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary")) return messages;
  return messages.map((message) => withContent(message, replacement.content));
}

type Content = string | readonly (TextContent | ImageContent)[];

/** Answers and tool results hold blocks only; answers have no images. */
function withContent(message: AgentMessage, content: Content): AgentMessage {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  if (message.role === "assistant") return { ...message, content: blocks.filter((b) => b.type !== "image") };
  if (message.role === "toolResult") return { ...message, content: blocks };
  if (message.role === "user" || message.role === "custom") return { ...message, content };
  return message;
}

function messageOf(message: AgentMessage): readonly AgentMessage[] {
  if (message.role === "system") return [];
  const content = (message as { readonly content?: unknown }).content;
  if (message.role === "assistant") return [completeAssistant(message, content)];
  if (message.role === "toolResult" && !Array.isArray(content))
    return [{ ...message, content: asBlocks(content) }];
  if (message.role === "user" && content !== "" && !content) return [{ ...message, content: [] }];
  return [message];
}

type Assistant = Extract<AgentMessage, { role: "assistant" }>;

function completeAssistant(message: Assistant, content: unknown): Assistant {
  const usage = message.usage as Assistant["usage"] | undefined;
  const complete = Array.isArray(content) && usage?.cost !== undefined;
  if (complete) return message;
  return {
    ...message,
    content: Array.isArray(content) ? message.content : asBlocks(content),
    usage: { ...ZERO_USAGE, ...usage, cost: usage?.cost ?? ZERO_COST },
  };
}

function asBlocks(content: unknown): readonly TextContent[] {
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}

function compactionMessages(entry: SessionEntry<"compaction">): readonly AgentMessage[] {
  const tokensBefore = typeof entry.tokensBefore === "number" ? entry.tokensBefore : 0;
  return [
    { role: "compactionSummary", summary: entry.summary, tokensBefore, timestamp: timeOf(entry) },
    ...(entry.retainedTail ?? []).filter((message) => message.role !== "system"),
  ];
}

/** Unix milliseconds of an entry; 0 where its timestamp is not a date. */
function timeOf(entry: AnyEntry): number {
  const ms = Date.parse(entry.timestamp);
  return Number.isNaN(ms) ? 0 : ms;
}
