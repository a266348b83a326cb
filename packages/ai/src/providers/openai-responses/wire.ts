/**
 * The OpenAI Responses API as far as we speak it.
 *
 * Source: https://platform.openai.com/docs/api-reference/responses and …/responses-streaming (2026-11).
 */

export type WireInputPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly detail: "auto"; readonly image_url: string };

export type Phase = "commentary" | "final_answer";

/** A reasoning item goes back exactly as it came, whatever its fields. */
export interface WireReasoning {
  readonly type: "reasoning";
  readonly [field: string]: unknown;
}

/** Items of the model go back without their ids: an id ties an item to reasoning that may be gone. */
export type WireItem =
  | { readonly role: "user" | "developer"; readonly content: readonly WireInputPart[] }
  | {
      readonly type: "message";
      readonly role: "assistant";
      readonly content: readonly {
        readonly type: "output_text";
        readonly text: string;
        readonly annotations: [];
      }[];
      readonly phase?: Phase;
    }
  | {
      readonly type: "function_call";
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: "function_call_output";
      readonly call_id: string;
      readonly output: string | readonly WireInputPart[];
    }
  | WireReasoning;

interface WireTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly strict: false;
}

export interface WireRequest {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly WireItem[];
  readonly stream: true;
  readonly store: false;
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: "none";
  readonly max_output_tokens?: number;
  readonly temperature?: number;
  readonly reasoning?: { readonly effort?: string; readonly summary?: "auto" };
  readonly include?: readonly ["reasoning.encrypted_content"];
  readonly prompt_cache_key?: string;
  readonly prompt_cache_retention?: "24h";
}

/** Cached tokens are part of `input_tokens`, reasoning is part of `output_tokens`. */
export interface WireUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly input_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}

/** An output item, all fields optional. */
export interface WireOutputItem {
  readonly type?: string;
  readonly id?: unknown;
  readonly call_id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly phase?: unknown;
  readonly content?: readonly ({ readonly type?: string; readonly text?: unknown } | null)[] | null;
  readonly summary?: readonly ({ readonly text?: unknown } | null)[] | null;
  readonly encrypted_content?: unknown;
}

export interface WireResponse {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly status?: unknown;
  readonly output?: readonly (WireOutputItem | null)[] | null;
  readonly usage?: WireUsage | null;
  readonly error?: unknown;
  readonly incomplete_details?: { readonly reason?: unknown } | null;
}

/** A stream event, all fields optional: servers leave things out. */
export interface WireEvent {
  readonly type?: string;
  readonly output_index?: unknown;
  readonly item_id?: unknown;
  readonly item?: WireOutputItem | null;
  readonly delta?: unknown;
  readonly text?: unknown;
  readonly arguments?: unknown;
  readonly refusal?: unknown;
  readonly summary_index?: unknown;
  readonly response?: WireResponse | null;
}
