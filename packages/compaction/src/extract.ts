import type { AgentMessage } from "@coppice/agent";
import { textOf, toolCallsOf } from "@coppice/ai";
import { clipEnd, clipMiddle, clipToTokens } from "./clip-text.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";

export interface ExtractInput {
  /** The messages that the extract stands for, oldest first. */
  readonly messages: readonly AgentMessage[];
  readonly previousSummary?: string | undefined;
  readonly maxTokens: number;
  readonly estimator?: TokenEstimator | undefined;
}

/** First line of every extract: no model wrote it. */
export const EXTRACT_NOTE =
  "(This is an extract made without a model: quotes from the conversation, not a summary of it.)";

const MOST_MESSAGE_CHARS = 4000;
const LEAST_MESSAGE_CHARS = 60;

/**
 * What can be said about a history without a model: what the user asked, what failed last, what was going on.
 *
 * Deterministic, in the shape of a summary, and at most about `maxTokens`: quotes get shorter until it fits.
 */
export function extractSummary(input: ExtractInput): string {
  const { estimator = scriptEstimator, maxTokens } = input;
  for (let chars = MOST_MESSAGE_CHARS; ; chars = Math.floor(chars / 2)) {
    const text = extractWith(input, chars);
    if (estimator.estimateText(text) <= maxTokens) return text;
    if (chars < LEAST_MESSAGE_CHARS) return clipToTokens(text, maxTokens, estimator);
  }
}

function extractWith({ messages, previousSummary }: ExtractInput, maxChars: number): string {
  const requests = messages
    .filter((message) => message.role === "user")
    .map((message) => textOf(message.content));
  const [goal, ...later] = requests.filter((text) => text.trim() !== "");
  const quote = (text: string) => `- ${clipMiddle(text.trim(), maxChars).replaceAll("\n", "\n  ")}`;
  const sections = [
    EXTRACT_NOTE,
    previousSummary === undefined
      ? ""
      : `## Earlier Summary\n${clipMiddle(demoteHeadings(previousSummary.replace(EXTRACT_NOTE, "").trim()), maxChars * 4)}`,
    `## Goal\n${goal === undefined ? "(see above)" : quote(goal)}`,
    later.length === 0 ? "" : `## Later Requests\n${later.map(quote).join("\n")}`,
    `## Progress\n${progressOf(messages, maxChars)}`,
    `## Next Steps\n${lastWords(messages, maxChars)}`,
  ];
  return sections.filter((text) => text !== "").join("\n\n");
}

/** The calls made, newest last, each on a line; the earlier ones are only counted. */
function progressOf(messages: readonly AgentMessage[], maxChars: number): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? toolCallsOf(message) : []));
  const shown = calls.slice(-Math.max(4, Math.floor(maxChars / 100)));
  const lines = shown.map(
    (call) => `- ${call.name} ${clipEnd(JSON.stringify(call.arguments), Math.min(160, maxChars))}`,
  );
  const earlier = calls.length - shown.length;
  return (
    [...(earlier > 0 ? [`- ${earlier} earlier tool calls`] : []), ...lines].join("\n") || "(no tool calls)"
  );
}

function lastWords(messages: readonly AgentMessage[], maxChars: number): string {
  const answer = messages.findLast(
    (message) => message.role === "assistant" && textOf(message.content).trim() !== "",
  );
  if (answer?.role !== "assistant") return "- Go on with the newest request.";
  return `- Last said by the assistant: ${clipEnd(textOf(answer.content).trim(), maxChars).replaceAll("\n", "\n  ")}`;
}

/** The old summary's headings one level down, so that the extract keeps one shape. */
function demoteHeadings(summary: string): string {
  return summary.replace(/^(#{1,5}) /gm, "#$1 ");
}
