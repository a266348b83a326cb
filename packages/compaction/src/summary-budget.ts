import { chunkConversation, MAX_CHUNKS } from "./chunk-conversation.ts";
import { CompactionError } from "./errors.ts";
import { scriptEstimator } from "./estimate-text.ts";
import { DEFAULT_SUMMARY_PROMPTS } from "./prompts.ts";
import { usableWindow } from "./settings.ts";
import type { SummaryCallOptions } from "./summary-call.ts";

/** What one summary asks of the windows of its requests. */
export interface SummaryBudgetInput
  extends Pick<
    SummaryCallOptions,
    "model" | "prompts" | "customInstructions" | "maxSummaryTokens" | "estimator" | "thinkingLevel"
  > {
  /** Serialised messages, oldest first. */
  readonly parts: readonly string[];
  /** What stands beside the conversation: the prompt and the summary to update. */
  readonly fixedText: string;
  /** Most requests it may take; default `MAX_CHUNKS`. */
  readonly maxChunks?: number;
}

/** Room for reasoning on top of a capped summary: a cap on the output covers both. */
const REASONING_HEADROOM_TOKENS = 8192;
/** Share of a window that the answer may take, so that the input keeps most of it. */
const OUTPUT_SHARE = 0.25;
/** Share of the window left free, since the input is an estimate. */
const MARGIN_SHARE = 0.1;
/** Less room than this for the conversation makes no summary worth a call. */
const LEAST_INPUT_TOKENS = 128;

/**
 * The conversation of each summary request, oldest first: one, or chunks that feed one another.
 *
 * Each request fits the model's window with its answer, also where an earlier chunk's summary takes its whole limit.
 * Throws `input_too_large` where the window has no room for any conversation.
 */
export function summaryChunks(input: SummaryBudgetInput): readonly string[] {
  const { parts, estimator = scriptEstimator, maxChunks = MAX_CHUNKS } = input;
  const maxTokens = inputBudget(input);
  const chunks = chunkConversation({ parts, maxTokens, maxChunks, estimator });
  if (chunks.length < 2) return chunks;
  const least = Math.min(maxTokens, LEAST_INPUT_TOKENS);
  const besideSummary = Math.max(least, maxTokens - outputTokens(input));
  return chunkConversation({ parts, maxTokens: besideSummary, maxChunks, estimator });
}

/** The output limit to ask for; undefined = the model's own, where that leaves room for the input. */
export function outputCap(
  { model, maxSummaryTokens }: Pick<SummaryCallOptions, "model" | "maxSummaryTokens">,
  thinks: boolean,
): number | undefined {
  const most = Math.floor(usableWindow(model.contextWindow) * OUTPUT_SHARE);
  const own = model.maxTokens > 0 ? model.maxTokens : most;
  const wanted =
    maxSummaryTokens === undefined ? own : maxSummaryTokens + (thinks ? REASONING_HEADROOM_TOKENS : 0);
  const cap = Math.min(wanted, own, most);
  return cap === model.maxTokens ? undefined : cap;
}

function outputTokens(input: SummaryBudgetInput): number {
  return outputCap(input, input.model.reasoning) ?? input.model.maxTokens;
}

/** Tokens of conversation that fit one request beside the prompts, the previous summary and the answer. */
function inputBudget(input: SummaryBudgetInput): number {
  const { model, prompts, customInstructions = "", estimator = scriptEstimator } = input;
  const window = usableWindow(model.contextWindow);
  const system = (prompts?.system ?? DEFAULT_SUMMARY_PROMPTS.system) + customInstructions;
  const fixed = estimator.estimateText(system) + estimator.estimateText(input.fixedText);
  const budget = Math.floor(window * (1 - MARGIN_SHARE)) - outputTokens(input) - fixed;
  if (budget >= LEAST_INPUT_TOKENS) return budget;
  throw new CompactionError({
    code: "input_too_large",
    message: `A summary request does not fit the window of ${window} tokens of ${model.id}.`,
  });
}
