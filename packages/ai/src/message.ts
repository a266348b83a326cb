import type { ErrorInfo } from "./errors.ts";
import type { ThinkingLevel } from "./thinking-level.ts";
import type { ToolSpec } from "./tool-schema.ts";
import type { Usage } from "./usage.ts";

/** Visible text. `textSignature` is opaque provider data and is replayed byte for byte to the same model only. */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
  readonly textSignature?: string;
}

/** An image; `data` is base64 without a data-URL prefix. */
export interface ImageContent {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** Reasoning text. With `redacted`, `thinking` is empty and the signature carries the encrypted reasoning. */
export interface ThinkingContent {
  readonly type: "thinking";
  readonly thinking: string;
  readonly thinkingSignature?: string;
  readonly redacted?: boolean;
}

/**
 * A call that the model asks for.
 *
 * `argumentsError` says why the raw argument text was not a JSON object; `arguments` is then `{}` and the call
 * must be answered with an error result and never run.
 */
export interface ToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly argumentsError?: string;
  readonly thoughtSignature?: string;
}

export type AssistantContent = TextContent | ThinkingContent | ToolCall;

/** Why an assistant message ended. These five are what stands on disk. */
export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

/**
 * Prompt state: the sections of the system prompt and the tool declarations, whole or as a patch.
 *
 * Replayed in order, system messages give the prompt in force: a `null` section removes it.
 */
export interface SystemMessage {
  readonly role: "system";
  readonly content: string | readonly TextContent[];
  readonly sections?: Readonly<Record<string, string | null>>;
  readonly toolsAdded?: readonly ToolSpec[];
  readonly toolsRemoved?: readonly { readonly name: string }[];
  readonly timestamp: number;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly (TextContent | ImageContent)[];
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
  /** Wire format, provider and model that were asked for. */
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  /** What the server says it used, where it differs or is reported. */
  readonly responseModel?: string;
  readonly responseId?: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  readonly error?: ErrorInfo;
  readonly thinkingLevel?: ThinkingLevel;
  readonly durationMs?: number;
  readonly timestamp: number;
}

export interface ToolResultMessage<Details = unknown> {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextContent | ImageContent)[];
  readonly details?: Details;
  readonly usage?: Usage;
  readonly isError: boolean;
  readonly timestamp: number;
}

/** What a provider understands. Timestamps are Unix milliseconds. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

/** The calls of an assistant message, in order. */
export function toolCallsOf(message: AssistantMessage): readonly ToolCall[] {
  return message.content.filter((block) => block.type === "toolCall");
}

/** The text blocks of any content, joined without a separator; images and other blocks contribute nothing. */
export function textOf(content: string | readonly { readonly type: string }[] | null | undefined): string {
  if (typeof content === "string") return content;
  let text = "";
  for (const block of content ?? []) {
    if (block.type === "text") text += (block as TextContent).text;
  }
  return text;
}
