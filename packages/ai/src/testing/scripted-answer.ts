import type { ProviderErrorCode } from "../provider-error.ts";
import type { TokenCounts } from "../usage.ts";

/** A tool call in a script. `arguments` as a string is raw wire text, for text that is not a JSON object. */
export interface ScriptedToolCall {
  readonly type: "toolCall";
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
  /** Absent = an id made from the number of the call. */
  readonly id?: string;
}

/** Reasoning in a script. A signature is made where none is given; `redacted` sends only the signature. */
export interface ScriptedThinking {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
  readonly redacted?: boolean;
}

export interface ScriptedText {
  readonly type: "text";
  readonly text: string;
}

export type ScriptedBlock = ScriptedText | ScriptedThinking | ScriptedToolCall;

/** A failure instead of, or in the middle of, an answer. */
export interface ScriptedError {
  readonly code: ProviderErrorCode;
  readonly message?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly limitTokens?: number;
  /** Deltas that arrive before the failure; absent = it fails before the answer begins. */
  readonly afterDeltas?: number;
}

/** How an answer is cut into deltas and when each one may leave. */
export interface ScriptedPace {
  /** Characters (code points) a delta. */
  readonly chunkSize?: number;
  /** Awaited before each delta, counted from 0 over the whole answer. A promise that never settles is a stall. */
  readonly gate?: (deltaIndex: number) => Promise<unknown> | undefined;
}

/** One answer of a scripted model, in full. */
export interface ScriptedAnswer {
  readonly content: readonly ScriptedBlock[];
  /** Absent = `toolUse` when there is a call, else `stop`. */
  readonly stopReason?: "stop" | "length" | "toolUse" | "refusal";
  /** Counts that replace the simulated ones. */
  readonly usage?: Partial<TokenCounts>;
  readonly error?: ScriptedError;
  readonly pace?: ScriptedPace;
}

/** What a script may hold for an answer: text, blocks, or the whole. */
export type ScriptedReply<Answer extends ScriptedAnswer = ScriptedAnswer> =
  | string
  | ScriptedBlock
  | readonly ScriptedBlock[]
  | Answer;

const isBlocks = (value: unknown): value is readonly ScriptedBlock[] => Array.isArray(value);

/** The full form of a reply. */
export function toAnswer<Answer extends ScriptedAnswer>(
  reply: ScriptedReply<Answer>,
): Answer | ScriptedAnswer {
  if (typeof reply === "string") return { content: [{ type: "text", text: reply }] };
  if (isBlocks(reply)) return { content: reply };
  return "type" in reply ? { content: [reply] } : reply;
}

/** A text block of a script. */
export function scriptedText(text: string): ScriptedText {
  return { type: "text", text };
}

/** A reasoning block of a script. */
export function scriptedThinking(
  thinking: string,
  options: Pick<ScriptedThinking, "signature" | "redacted"> = {},
): ScriptedThinking {
  return { type: "thinking", thinking, ...options };
}

/** A tool call of a script. */
export function scriptedToolCall(
  name: string,
  args: ScriptedToolCall["arguments"] = {},
  id?: string,
): ScriptedToolCall {
  return { type: "toolCall", name, arguments: args, ...(id === undefined ? {} : { id }) };
}

/** An answer that is only a failure. */
export function scriptedError(error: ScriptedError): ScriptedAnswer {
  return { content: [], error };
}

/** The reason an answer stops for: its own, or the one its blocks imply. */
export function stopReasonOf(answer: ScriptedAnswer): NonNullable<ScriptedAnswer["stopReason"]> {
  if (answer.stopReason !== undefined) return answer.stopReason;
  return answer.content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
}

/** The id of the call at `blockIndex` of answer `callIndex`: its own, or one that is unique within the script. */
export function toolCallId(call: ScriptedToolCall, callIndex: number, blockIndex: number): string {
  return call.id ?? `call_${callIndex + 1}_${blockIndex + 1}`;
}

/** The argument text of a call as it goes over the wire. */
export function argumentText(call: ScriptedToolCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

const DEFAULT_CHUNK_SIZE = 16;

/** Text in deltas of `pace.chunkSize` code points; never a half surrogate pair, never an empty delta. */
export function* inDeltas(text: string, pace: ScriptedPace | undefined): Generator<string> {
  const size = Math.max(1, pace?.chunkSize ?? DEFAULT_CHUNK_SIZE);
  let chunk = "";
  let length = 0;
  for (const character of text) {
    chunk += character;
    if (++length < size) continue;
    yield chunk;
    chunk = "";
    length = 0;
  }
  if (chunk !== "") yield chunk;
}
