import { type AssistantMessage, type Message, type ToolCall, textOf, toolCallsOf } from "@coppice/ai";

/** A call of the present turn with its answer. */
export interface FinishedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly details: unknown;
  readonly isError: boolean;
}

/** An earlier prompt that is still in the context, with what was called for it and what was answered. */
export interface PastTurn {
  readonly prompt: string;
  readonly calls: readonly Omit<FinishedCall, "details">[];
  readonly answer: string;
}

/** The request as the planner sees it: the newest prompt and everything done for it so far. */
export interface DemoTurn {
  readonly prompt: string;
  /** One batch per assistant message with calls, oldest first; calls in order. */
  readonly batches: readonly (readonly FinishedCall[])[];
  /** Oldest first. */
  readonly history: readonly PastTurn[];
  /** Summaries that stand for older history, oldest first. */
  readonly summaries: readonly string[];
  readonly toolNames: ReadonlySet<string>;
}

/** What the planner does next: calls tools (with a word on why), or answers and ends the turn. */
export type DemoStep =
  | { readonly kind: "call"; readonly say: string; readonly calls: readonly DemoCall[] }
  | { readonly kind: "answer"; readonly text: string };

export interface DemoCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A plan is asked anew after every batch; it keeps no state beside the turn. */
export type DemoPlan = (turn: DemoTurn) => DemoStep;

const SUMMARY = /<summary>([\s\S]*?)<\/summary>/;

/** Reads a request's messages (oldest first) into a turn; undefined when no user prompt is in the context. */
export function readTurn(messages: readonly Message[], toolNames: ReadonlySet<string>): DemoTurn | undefined {
  const results = new Map<string, Omit<FinishedCall, "name" | "arguments">>();
  const summaries: string[] = [];
  const prompts: number[] = [];
  messages.forEach((message, index) => {
    if (message.role === "toolResult") {
      const { isError, details } = message;
      results.set(message.toolCallId, { text: textOf(message.content), isError, details });
    }
    if (message.role !== "user") return;
    const summary = SUMMARY.exec(textOf(message.content))?.[1];
    if (summary === undefined) prompts.push(index);
    else summaries.push(summary.trim());
  });
  const newest = prompts.at(-1);
  if (newest === undefined) return undefined;
  return {
    prompt: promptAt(messages, newest),
    batches: assistantsIn(messages, newest + 1, messages.length)
      .map((message) => toolCallsOf(message).map((call) => finished(call, results)))
      .filter((batch) => batch.length > 0),
    history: prompts.slice(0, -1).map((start, index) => {
      const assistants = assistantsIn(messages, start + 1, prompts[index + 1] ?? newest);
      return {
        prompt: promptAt(messages, start),
        calls: assistants.flatMap(toolCallsOf).map((call) => finished(call, results)),
        answer: textOf(assistants.at(-1)?.content),
      };
    }),
    summaries,
    toolNames,
  };
}

function promptAt(messages: readonly Message[], index: number): string {
  return textOf(messages[index]?.content as string).trim();
}

function assistantsIn(messages: readonly Message[], from: number, to: number): readonly AssistantMessage[] {
  return messages.slice(from, to).filter((message) => message.role === "assistant");
}

function finished(
  call: ToolCall,
  results: ReadonlyMap<string, Omit<FinishedCall, "name" | "arguments">>,
): FinishedCall {
  const result = results.get(call.id) ?? { text: "(no result)", isError: true, details: undefined };
  return { name: call.name, arguments: call.arguments, ...result };
}
