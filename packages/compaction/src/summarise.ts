import type { AgentMessage } from "@coppice/agent";
import { addUsage, type ChatRequest, textOf, type Usage } from "@coppice/ai";
import { acceptedSummary, type SummaryKind } from "./acceptance.ts";
import { CompactionError } from "./errors.ts";
import { DEFAULT_SUMMARY_PROMPTS } from "./prompts.ts";
import { serializeMessage } from "./serialize-conversation.ts";
import { outputCap, summaryChunks } from "./summary-budget.ts";
import type { SummaryCallOptions } from "./summary-call.ts";

export interface GenerateSummaryInput extends SummaryCallOptions {
  readonly messages: readonly AgentMessage[];
  readonly previousSummary?: string | undefined;
  /** Most calls it may take; default 8. */
  readonly maxChunks?: number;
}

export interface GeneratedSummary {
  readonly text: string;
  /** Sum over all calls. */
  readonly usage: Usage | undefined;
}

/** Above this the room for the summary is not worth a word: no summary is that long. */
const MENTIONED_TARGET_TOKENS = 4096;
const WORDS_PER_TOKEN = 0.7;

/**
 * Summary of messages in the serialised form: one user message of text, no tools, nothing written to the cache.
 *
 * With `previousSummary` it is updated. Input longer than the model's window goes in chunks that feed one another.
 * Throws `CompactionError`.
 */
export async function generateSummary(input: GenerateSummaryInput): Promise<GeneratedSummary> {
  return summariseInChunks(input, "history");
}

/** Summary of the beginning of a turn whose end stays verbatim. Throws `CompactionError`. */
export async function generateTurnPrefixSummary(
  input: Omit<GenerateSummaryInput, "previousSummary">,
): Promise<GeneratedSummary> {
  return summariseInChunks(input, "turnPrefix");
}

/** Summary of a left branch. Throws `CompactionError`. */
export async function generateBranchSummaryText(
  input: Omit<GenerateSummaryInput, "previousSummary">,
): Promise<GeneratedSummary> {
  return summariseInChunks(input, "branch");
}

/** The conversation of each request that such a summary would take, oldest first. Throws `input_too_large`. */
export function conversationChunks(
  input: Omit<GenerateSummaryInput, "complete">,
  kind: SummaryKind,
): readonly string[] {
  const { previousSummary } = input;
  const parts = input.messages.map(serializeMessage).filter((part) => part !== "");
  const fixedText = promptFor(kind, input, previousSummary) + (previousSummary ?? "");
  return summaryChunks({ ...input, parts, fixedText });
}

function promptFor(
  kind: SummaryKind,
  input: Pick<SummaryCallOptions, "prompts">,
  previous: string | undefined,
) {
  const prompts = { ...DEFAULT_SUMMARY_PROMPTS, ...input.prompts };
  if (kind === "history") return previous === undefined ? prompts.summarize : prompts.update;
  return prompts[kind];
}

async function summariseInChunks(input: GenerateSummaryInput, kind: SummaryKind): Promise<GeneratedSummary> {
  const userText = userTextOf(input.messages);
  const chunks = conversationChunks(input, kind);
  let summary = input.previousSummary;
  let usage: Usage | undefined;
  for (const [index, conversation] of chunks.entries()) {
    const isLast = index === chunks.length - 1;
    if (input.signal?.aborted) {
      throw new CompactionError({ code: "aborted", message: "The summary was stopped." });
    }
    const prompt = promptFor(kind, input, summary);
    const answer = await input.complete(summaryRequest(input, { conversation, previous: summary, prompt }));
    summary = acceptedSummary(answer, {
      kind,
      previous: isLast ? input.previousSummary : undefined,
      source: { conversation, userText },
    });
    usage = usage === undefined ? answer.usage : addUsage(usage, answer.usage);
  }
  if (summary === undefined || usage === undefined) {
    throw new CompactionError({ code: "summary_failed", message: "There is nothing to summarise." });
  }
  return { text: summary, usage };
}

/** What the user wrote, to tell the user's words and language from the model's. */
export function userTextOf(messages: readonly AgentMessage[]): string {
  return messages.flatMap((message) => (message.role === "user" ? [textOf(message.content)] : [])).join("\n");
}

/** The request of one summary call: no tools, no tool choice, no session id, no cache writes. */
function summaryRequest(
  input: SummaryCallOptions,
  content: { readonly conversation: string; readonly previous: string | undefined; readonly prompt: string },
): ChatRequest {
  const { model, thinkingLevel, signal, customInstructions, targetTokens } = input;
  const thinks = model.reasoning && thinkingLevel !== undefined && thinkingLevel !== "off";
  const maxOutputTokens = outputCap(input, thinks);
  const sections = [
    `<conversation>\n${content.conversation}\n</conversation>`,
    content.previous === undefined ? "" : `<previous-summary>\n${content.previous}\n</previous-summary>`,
    content.prompt,
    lengthWish(targetTokens),
    customInstructions?.trim()
      ? `The user asks the summary to look at this above all: ${customInstructions.trim()}`
      : "",
  ];
  return {
    model,
    systemPrompt: input.prompts?.system ?? DEFAULT_SUMMARY_PROMPTS.system,
    messages: [{ role: "user", content: sections.filter((text) => text !== "").join("\n\n"), timestamp: 0 }],
    cacheRetention: "none",
    ...(thinks ? { thinkingLevel } : {}),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** The sentence that asks for a length; empty where there is room for any summary. */
export function lengthWish(targetTokens: number | undefined): string {
  return targetTokens === undefined || targetTokens > MENTIONED_TARGET_TOKENS
    ? ""
    : `Stay below about ${Math.floor(targetTokens * WORDS_PER_TOKEN)} words.`;
}
