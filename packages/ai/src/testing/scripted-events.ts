import type { AssistantContent, AssistantMessage, ThinkingContent, ToolCall } from "../message.ts";
import type { StreamEvent } from "../stream-event.ts";
import {
  argumentText,
  inDeltas,
  type ScriptedAnswer,
  type ScriptedBlock,
  type ScriptedPace,
  type ScriptedToolCall,
  toolCallId,
} from "./scripted-answer.ts";

export interface ScriptedBlocksOptions {
  readonly answer: ScriptedAnswer;
  readonly callIndex: number;
}

/** The block events of an answer in order, without `start` and the terminal event. Pure. */
export function* blockEvents({ answer, callIndex }: ScriptedBlocksOptions): Generator<StreamEvent> {
  for (const [contentIndex, scripted] of answer.content.entries()) {
    const block = finishedBlock(scripted, callIndex, contentIndex);
    yield* eventsOf({ scripted, block, contentIndex, pace: answer.pace });
  }
}

interface BlockInPlace {
  readonly scripted: ScriptedBlock;
  readonly block: AssistantContent;
  readonly contentIndex: number;
  readonly pace: ScriptedPace | undefined;
}

function* eventsOf({ scripted, block, contentIndex, pace }: BlockInPlace): Generator<StreamEvent> {
  if (block.type === "text") {
    yield { type: "text_start", contentIndex };
    for (const delta of inDeltas(block.text, pace)) yield { type: "text_delta", contentIndex, delta };
    yield { type: "text_end", contentIndex, block };
  } else if (block.type === "thinking") {
    yield { type: "thinking_start", contentIndex };
    for (const delta of inDeltas(block.thinking, pace)) yield { type: "thinking_delta", contentIndex, delta };
    yield { type: "thinking_end", contentIndex, block };
  } else {
    yield { type: "toolcall_start", contentIndex, id: block.id, name: block.name };
    const text = scripted.type === "toolCall" ? argumentText(scripted) : "";
    for (const delta of inDeltas(text, pace)) yield { type: "toolcall_delta", contentIndex, delta };
    yield { type: "toolcall_end", contentIndex, block };
  }
}

function finishedBlock(block: ScriptedBlock, callIndex: number, blockIndex: number): AssistantContent {
  if (block.type === "text") return block;
  if (block.type === "thinking") {
    const thinkingSignature = block.signature ?? `signature_${callIndex + 1}_${blockIndex + 1}`;
    const signed: ThinkingContent = { type: "thinking", thinking: block.thinking, thinkingSignature };
    return block.redacted ? { ...signed, thinking: "", redacted: true } : signed;
  }
  return finishedCall(block, toolCallId(block, callIndex, blockIndex));
}

function finishedCall(call: ScriptedToolCall, id: string): ToolCall {
  const base = { type: "toolCall", id, name: call.name } as const;
  if (typeof call.arguments !== "string") return { ...base, arguments: call.arguments };
  const invalid = (why: string): ToolCall => ({ ...base, arguments: {}, argumentsError: why });
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...base, arguments: { ...value } }
      : invalid(`The arguments are not a JSON object: ${call.arguments}`);
  } catch (error) {
    return invalid(`The arguments are not JSON (${(error as Error).message}): ${call.arguments}`);
  }
}

/** True for the events that carry content and that a pace or an error counts. */
export function isDelta(event: StreamEvent): boolean {
  return event.type === "text_delta" || event.type === "thinking_delta" || event.type === "toolcall_delta";
}

/** The content of the whole answer, as the terminal event carries it. */
export function finishedContent(options: ScriptedBlocksOptions): AssistantMessage["content"] {
  return options.answer.content.map((block, index) => finishedBlock(block, options.callIndex, index));
}
