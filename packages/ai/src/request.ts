import type { Message } from "./message.ts";
import type { Model } from "./model.ts";
import type { ThinkingLevel } from "./thinking-level.ts";
import type { ToolSpec } from "./tool-schema.ts";

/** How long a provider should keep the prompt prefix cached. */
export type CacheRetention = "none" | "short" | "long";

/**
 * One model call. `messages` run oldest first and may hold anything a session holds: the client repairs the history
 * (pairing, ids, blanks) before it is encoded.
 */
export interface ChatRequest {
  readonly model: Model;
  readonly messages: readonly Message[];
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: "auto" | "none";
  readonly thinkingLevel?: ThinkingLevel;
  /** Cap on the answer in tokens; absent = the model's own limit. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly cacheRetention?: CacheRetention;
  /** Stable id of the conversation, for cache keys and affinity. */
  readonly sessionId?: string;
  /** Key for this request; absent = what the client resolves for the model's provider. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Limit until the response headers arrive. */
  readonly firstByteTimeoutMs?: number;
  /** Limit between two chunks of the stream. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Sees the wire body just before it is sent and may return another. */
  readonly onPayload?: (payload: unknown) => unknown | Promise<unknown>;
  readonly onResponse?: (response: ResponseHead) => void | Promise<void>;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}
