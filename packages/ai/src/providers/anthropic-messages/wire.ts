/**
 * The Anthropic Messages API as far as we speak it.
 *
 * Source: https://docs.claude.com/en/api/messages and …/build-with-claude/streaming (2026-11).
 */

export interface CacheControl {
  readonly type: "ephemeral";
  readonly ttl?: "1h";
}

interface Cacheable {
  cache_control?: CacheControl;
}

export interface WireText extends Cacheable {
  readonly type: "text";
  readonly text: string;
}

export interface WireImage extends Cacheable {
  readonly type: "image";
  readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
}

interface WireToolResult extends Cacheable {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: readonly (WireText | WireImage)[];
  readonly is_error?: true;
}

interface WireToolUse extends Cacheable {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Reasoning cannot carry a cache marker. */
type WireThinking =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

export type WireUserBlock = WireText | WireImage | WireToolResult;
export type WireAssistantBlock = WireText | WireThinking | WireToolUse;

export type WireMessage =
  /** …/build-with-claude/mid-conversation-system-messages: right behind a user's turn, newer models only. */
  | { readonly role: "system"; readonly content: WireText[] }
  | { readonly role: "user"; readonly content: WireUserBlock[] }
  | { readonly role: "assistant"; readonly content: WireAssistantBlock[] };

export interface WireTool extends Cacheable {
  readonly name: string;
  readonly description: string;
  readonly input_schema: unknown;
}

export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: true;
  readonly system?: readonly WireText[];
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: { readonly type: "none" };
  readonly thinking?:
    | { readonly type: "disabled" }
    | { readonly type: "adaptive"; readonly display: "summarized" }
    | { readonly type: "enabled"; readonly budget_tokens: number };
  readonly output_config?: { readonly effort: string };
  readonly temperature?: number;
}

/** Usage of `message_start` and `message_delta`; counts of cached tokens are not part of `input_tokens`. */
export interface WireUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: unknown } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: unknown } | null;
}

/** A stream event, all fields optional: relays leave things out. */
export interface WireEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: {
    readonly id?: unknown;
    readonly model?: unknown;
    readonly usage?: WireUsage | null;
  } | null;
  readonly content_block?: {
    readonly type?: string;
    readonly text?: unknown;
    readonly thinking?: unknown;
    readonly signature?: unknown;
    readonly data?: unknown;
    readonly id?: unknown;
    readonly name?: unknown;
    readonly input?: unknown;
  } | null;
  readonly delta?: {
    readonly type?: string;
    readonly text?: unknown;
    readonly thinking?: unknown;
    readonly signature?: unknown;
    readonly partial_json?: unknown;
    readonly stop_reason?: unknown;
    readonly stop_details?: { readonly explanation?: unknown } | null;
  } | null;
  readonly usage?: WireUsage | null;
  readonly error?: { readonly type?: unknown; readonly message?: unknown } | null;
}
