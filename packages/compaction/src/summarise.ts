import type { AgentMessage } from "@coppice/agent";
import {
  type AssistantMessage,
  addUsage,
  type ChatRequest,
  type Model,
  type ThinkingLevel,
  textOf,
  type Usage,
} from "@coppice/ai";
import { acceptedSummary, type SummaryKind } from "./acceptance.ts";
import { chunkConversation } from "./chunk-conversation.ts";
import { CompactionError } from "./errors.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";
import { DEFAULT_SUMMARY_PROMPTS, type SummaryPrompts } from "./prompts.ts";
import { serializeMessage } from "./serialize-conversation.ts";
import { usableWindow } from "./settings.ts";

/** How a summary is asked for. The only call is `complete`: the host's own request path, with its auth and retries. */
export interface SummaryCallOptions {
  readonly complete: (request: ChatRequest) => Promise<AssistantMessage>;
  /** Writes the summary. */
  readonly model: Model;
  /** Sent only to models that reason. */
  readonly thinkingLevel?: ThinkingLevel;
  /** What the user wants the summary to look at. */
  readonly customInstructions?: string;
  /** Cap on the summary itself; absent = the model's own limit. */
  readonly maxSummaryTokens?: number;
  /** Length that the model is asked to stay below, in tokens: a wish, not a limit. */
  readonly targetTokens?: number;
  /**
   * The request that the session would send: given, the summary is first asked for on its prefix, where it fits and
   * `model` is the session's.
   */
  readonly sessionRequest?: ChatRequest;
  readonly prompts?: Partial<SummaryPrompts>;
  readonly estimator?: TokenEstimator;
  readonly signal?: AbortSignal;
}

export interface GenerateSummaryInput extends SummaryCallOptions {
  readonly messages: readonly AgentMessage[];
  readonly previousSummary?: string | undefined;
}

export interface GeneratedSummary {
  readonly text: string;
  /** Sum over all calls. */
  readonly usage: Usage | undefined;
}

/** Room for reasoning on top of a capped summary: a cap on the output covers both. */
const REASONING_HEADROOM_TOKENS = 8192;
/** Share of a window that the answer may take, so that the input keeps most of it. */
const OUTPUT_SHARE = 0.25;
/** Share of the window left free, since the input is an estimate. */
const MARGIN_SHARE = 0.1;
/** Less room than this for the conversation makes no summary worth a call. */
const LEAST_INPUT_TOKENS = 128;
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
  const prompts = { ...DEFAULT_SUMMARY_PROMPTS, ...input.prompts };
  return summariseInChunks(input, "history", (previous) =>
    previous === undefined ? prompts.summarize : prompts.update,
  );
}

/** Summary of the beginning of a turn whose end stays verbatim. Throws `CompactionError`. */
export async function generateTurnPrefixSummary(
  input: Omit<GenerateSummaryInput, "previousSummary">,
): Promise<GeneratedSummary> {
  const prompts = { ...DEFAULT_SUMMARY_PROMPTS, ...input.prompts };
  return summariseInChunks(input, "turnPrefix", () => prompts.turnPrefix);
}

/** Summary of a left branch. Throws `CompactionError`. */
export async function generateBranchSummaryText(
  input: Omit<GenerateSummaryInput, "previousSummary">,
): Promise<GeneratedSummary> {
  const prompts = { ...DEFAULT_SUMMARY_PROMPTS, ...input.prompts };
  return summariseInChunks(input, "history", () => prompts.branch);
}

async function summariseInChunks(
  input: GenerateSummaryInput,
  kind: SummaryKind,
  promptFor: (previous: string | undefined) => string,
): Promise<GeneratedSummary> {
  const { estimator = scriptEstimator, messages, signal } = input;
  const userText = userTextOf(messages);
  const parts = messages.map(serializeMessage).filter((part) => part !== "");
  const fixedText = promptFor(input.previousSummary) + (input.previousSummary ?? "");
  const maxTokens = inputBudget(input, estimator.estimateText(fixedText));
  let summary = input.previousSummary;
  let usage: Usage | undefined;
  const chunks = chunkConversation({ parts, maxTokens, estimator });
  for (const [index, conversation] of chunks.entries()) {
    const isLast = index === chunks.length - 1;
    if (signal?.aborted) throw new CompactionError({ code: "aborted", message: "The summary was stopped." });
    const prompt = promptFor(summary);
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

/** The output limit to ask for; undefined = the model's own, where that leaves room for the input. */
function outputCap(input: SummaryCallOptions, thinks: boolean): number | undefined {
  const { model, maxSummaryTokens } = input;
  const most = Math.floor(usableWindow(model.contextWindow) * OUTPUT_SHARE);
  const own = model.maxTokens > 0 ? model.maxTokens : most;
  const wanted =
    maxSummaryTokens === undefined ? own : maxSummaryTokens + (thinks ? REASONING_HEADROOM_TOKENS : 0);
  const cap = Math.min(wanted, own, most);
  return cap === model.maxTokens ? undefined : cap;
}

/** Tokens of conversation that fit one request beside the prompts, the previous summary and the answer. */
function inputBudget(input: SummaryCallOptions, fixedTokens: number): number {
  const window = usableWindow(input.model.contextWindow);
  const system = (input.estimator ?? scriptEstimator).estimateText(
    (input.prompts?.system ?? DEFAULT_SUMMARY_PROMPTS.system) + (input.customInstructions ?? ""),
  );
  const output = outputCap(input, input.model.reasoning) ?? input.model.maxTokens;
  const budget = Math.floor(window * (1 - MARGIN_SHARE)) - output - fixedTokens - system;
  if (budget >= LEAST_INPUT_TOKENS) return budget;
  throw new CompactionError({
    code: "input_too_large",
    message: `A summary request does not fit the window of ${window} tokens of ${input.model.id}.`,
  });
}
