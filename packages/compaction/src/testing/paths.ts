import type { AgentMessage } from "@coppice/agent";
import {
  type AssistantContent,
  type AssistantMessage,
  type ToolResultMessage,
  type Usage,
  ZERO_USAGE,
} from "@coppice/ai";
import type { AnyEntry, EntryMap, EntryType, SessionEntry } from "@coppice/session";

/** Builds a path of entries with short ids (`e1`, `e2`, …) and rising times, each under the one before. */
export interface PathBuilder {
  readonly path: readonly AnyEntry[];
  /** Appends an entry of any kind and returns its id. */
  entry<Type extends EntryType>(type: Type, fields: EntryMap[Type], id?: string): string;
  user(text: string, id?: string): string;
  assistant(content: string | readonly AssistantContent[], options?: AssistantOptions): string;
  toolCall(callId: string, name: string, args?: Readonly<Record<string, unknown>>): string;
  toolResult(callId: string, text: string, options?: Partial<ToolResultMessage>): string;
  compaction(summary: string, firstKeptEntryId: string, fields?: Partial<EntryMap["compaction"]>): string;
}

export interface AssistantOptions extends Partial<Omit<AssistantMessage, "content">> {
  readonly id?: string;
}

/** First time stamp of a built path: 2026-01-01, one second an entry. */
const START_MS = Date.UTC(2026, 0, 1);

export function pathBuilder(from: readonly AnyEntry[] = []): PathBuilder {
  const path: AnyEntry[] = [...from];
  const now = () => START_MS + path.length * 1000;
  const entry = <Type extends EntryType>(
    type: Type,
    fields: EntryMap[Type],
    id = `e${path.length + 1}`,
  ): string => {
    const base = { type, id, parentId: path.at(-1)?.id ?? null, timestamp: new Date(now()).toISOString() };
    path.push({ ...base, ...fields } as unknown as SessionEntry<Type>);
    return id;
  };
  const message = (value: AgentMessage, id?: string) => entry("message", { message: value }, id);
  return {
    path,
    entry,
    user: (text, id) => message({ role: "user", content: text, timestamp: now() }, id),
    assistant: (content, { id, ...options } = {}) =>
      message(assistantMessage(content, { timestamp: now(), ...options }), id),
    toolCall: (callId, name, args = {}) =>
      message(
        assistantMessage([{ type: "toolCall", id: callId, name, arguments: args }], {
          timestamp: now(),
          stopReason: "toolUse",
        }),
      ),
    toolResult: (callId, text, options = {}) =>
      message({
        role: "toolResult",
        toolCallId: callId,
        toolName: "read",
        content: [{ type: "text", text }],
        isError: false,
        timestamp: now(),
        ...options,
      }),
    compaction: (summary, firstKeptEntryId, fields = {}) =>
      entry("compaction", { summary, firstKeptEntryId, tokensBefore: 1000, ...fields }),
  };
}

/** An assistant message of a made-up model; no usage unless given. */
export function assistantMessage(
  content: string | readonly AssistantContent[],
  options: Partial<Omit<AssistantMessage, "content">> = {},
): AssistantMessage {
  return {
    role: "assistant",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    api: "test",
    provider: "test",
    model: "test-model",
    usage: ZERO_USAGE,
    stopReason: "stop",
    timestamp: START_MS,
    ...options,
  };
}

/** Usage with the given counts and no cost. */
export function usageOf(counts: Partial<Omit<Usage, "cost">>): Usage {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = counts;
  return { ...ZERO_USAGE, ...counts, totalTokens: input + output + cacheRead + cacheWrite };
}
