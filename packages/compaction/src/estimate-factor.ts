import type { AgentMessage } from "@coppice/agent";
import {
  type EstimateContextInput,
  estimateOverheadTokens,
  estimateTokens,
  reportedContextTokens,
  reportsContextSize,
} from "./estimate.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";

/** A factor beyond these says more about a server's accounting than about its tokenizer. */
const SMALLEST_FACTOR = 0.5;
const LARGEST_FACTOR = 3;
/** Fewer estimated tokens than this teach nothing. */
const LEAST_TOKENS = 500;

/**
 * How much larger a model's own count is than the estimate, learned from its reports in a session; 1 where they teach nothing.
 *
 * The newest report of the model counts: everything up to it, system prompt and tools included, was really that size.
 * `messages` must be what was sent, so pass those after the latest compaction with its summary.
 */
export function learnEstimateFactor(input: EstimateContextInput & { readonly model: string }): number {
  const { messages, model, estimator = scriptEstimator, usageValidFrom = 0 } = input;
  const at = messages.findLastIndex(
    (message, index) =>
      index >= usageValidFrom &&
      message.role === "assistant" &&
      message.model === model &&
      reportsContextSize(message),
  );
  const report = messages[at];
  if (report?.role !== "assistant") return 1;
  const estimated = messages
    .slice(0, at + 1)
    .reduce(
      (sum: number, message: AgentMessage) => sum + estimateTokens(message, estimator),
      estimateOverheadTokens(input),
    );
  if (estimated < LEAST_TOKENS) return 1;
  const factor = reportedContextTokens(report.usage) / estimated;
  return Math.min(LARGEST_FACTOR, Math.max(SMALLEST_FACTOR, factor));
}

const scaled = new Map<number, TokenEstimator>();
const STEPS = 20;

/** An estimator whose counts are multiplied, in steps of 5 % so that remembered counts stay in use. */
export function scaledEstimator(factor: number, estimator: TokenEstimator = scriptEstimator): TokenEstimator {
  const step = Math.round(factor * STEPS) / STEPS;
  if (step === 1) return estimator;
  const known = estimator === scriptEstimator ? scaled.get(step) : undefined;
  if (known !== undefined) return known;
  const made: TokenEstimator = { estimateText: (text) => Math.ceil(estimator.estimateText(text) * step) };
  if (estimator === scriptEstimator) scaled.set(step, made);
  return made;
}
