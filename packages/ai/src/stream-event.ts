import type { AssistantMessage, StopReason, TextContent, ThinkingContent, ToolCall } from "./message.ts";

/**
 * One row per stream event. Order of a stream: `start`, then blocks (each start, deltas, end; blocks may interleave),
 * then exactly one of `done` or `error`. `error` may come without a `start` when the call failed before an answer.
 *
 * `contentIndex` is the block's place in the final message's content. Events carry deltas only; `assemble` builds the message.
 */
export interface StreamEventMap {
  start: { readonly message: AssistantMessage };
  text_start: { readonly contentIndex: number };
  text_delta: { readonly contentIndex: number; readonly delta: string };
  text_end: { readonly contentIndex: number; readonly block: TextContent };
  thinking_start: { readonly contentIndex: number };
  thinking_delta: { readonly contentIndex: number; readonly delta: string };
  thinking_end: { readonly contentIndex: number; readonly block: ThinkingContent };
  toolcall_start: { readonly contentIndex: number; readonly id: string; readonly name: string };
  /** `delta` is raw argument text. */
  toolcall_delta: { readonly contentIndex: number; readonly delta: string };
  toolcall_end: { readonly contentIndex: number; readonly block: ToolCall };
  done: { readonly message: AssistantMessage };
  error: { readonly reason: Extract<StopReason, "error" | "aborted">; readonly message: AssistantMessage };
}

/** The union of a map of events: `type` is the key, the rest is the payload. */
export type EventOf<M> = { [K in keyof M]: Readonly<{ type: K } & M[K]> }[keyof M];

export type StreamEvent = EventOf<StreamEventMap>;

/** True for the one event that ends a stream. */
export function isTerminal(event: StreamEvent): event is Extract<StreamEvent, { type: "done" | "error" }> {
  return event.type === "done" || event.type === "error";
}
