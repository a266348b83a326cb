import type { AgentMessage } from "@coppice/agent";
import { type Model, modelName, type ToolSpec } from "@coppice/ai";
import {
  type ContextSize,
  estimateContextTokens,
  learnEstimateFactor,
  scaledEstimator,
  type TokenEstimator,
} from "@coppice/compaction";

export interface ContextSizeInput {
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
  readonly tools: readonly ToolSpec[];
  readonly usageValidFrom: number;
  readonly model: Model;
}

export interface MeasuredContext {
  readonly size: ContextSize;
  /** Corrected by what the model's own counts taught; the one to plan with. */
  readonly estimator: TokenEstimator;
}

/** Below this the newest messages are counted as they are: a correction would be smaller than the rounding. */
const SMALL_TAIL_TOKENS = 1000;

/** Measures contexts, and learns from each report how far the model's own count is from the estimate. */
export class ContextScale {
  readonly #factors = new Map<string, number>();

  measure(input: ContextSizeInput): MeasuredContext {
    const estimator = this.#estimatorFor(input);
    const plain = estimateContextTokens(input);
    const isSmallTail = plain.reportedTokens > 0 && plain.tokens - plain.reportedTokens < SMALL_TAIL_TOKENS;
    return { size: isSmallTail ? plain : estimateContextTokens({ ...input, estimator }), estimator };
  }

  #estimatorFor(input: ContextSizeInput): TokenEstimator {
    const name = modelName(input.model);
    const learned = learnEstimateFactor({ ...input, model: input.model.id });
    // 1 also means that there was nothing to learn from, as right after a compaction: what was known stays.
    if (learned !== 1) this.#factors.set(name, learned);
    return scaledEstimator(this.#factors.get(name) ?? 1);
  }
}
