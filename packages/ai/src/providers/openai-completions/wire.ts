/**
 * The Chat Completions API as far as we speak it, with the additions of compatible servers.
 *
 * Source: https://platform.openai.com/docs/api-reference/chat (2026-11) and the servers' own pages, cited at each quirk.
 */

export type WirePart =
  | { readonly type: "text"; readonly text: string; cache_control?: { readonly type: "ephemeral" } }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

interface WireToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type WireMessage =
  | { readonly role: "system" | "developer"; content: string | WirePart[] }
  | { readonly role: "user"; content: string | WirePart[] }
  | {
      readonly role: "assistant";
      content: string | null;
      readonly tool_calls?: readonly WireToolCall[];
      readonly reasoning_content?: string;
      readonly reasoning?: string;
      readonly reasoning_text?: string;
      readonly reasoning_details?: readonly Readonly<Record<string, unknown>>[];
    }
  | { readonly role: "tool"; readonly tool_call_id: string; content: string; readonly name?: string };

interface WireTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: unknown;
  };
}

/** The body; fields beyond the common ones depend on quirks. */
export interface WireRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly stream: true;
  readonly stream_options?: { readonly include_usage: true };
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: "none";
  readonly [field: string]: unknown;
}

/** Usage with the spellings of several servers. Cached tokens are part of `prompt_tokens`. */
export interface WireUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
  /** Moonshot and others. */
  readonly cached_tokens?: unknown;
  /** DeepSeek. */
  readonly prompt_cache_hit_tokens?: unknown;
  /** OpenRouter: what was billed, in USD. */
  readonly cost?: unknown;
}

export interface WireToolCallDelta {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

export interface WireDelta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_text?: unknown;
  readonly reasoning_details?: unknown;
  readonly tool_calls?: readonly (WireToolCallDelta | null)[] | null;
}

/** A stream chunk, all fields optional: servers leave things out. */
export interface WireChunk {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly choices?:
    | readonly ({
        readonly delta?: WireDelta | null;
        readonly finish_reason?: unknown;
        readonly usage?: WireUsage | null;
      } | null)[]
    | null;
  readonly usage?: WireUsage | null;
  readonly error?: unknown;
}
