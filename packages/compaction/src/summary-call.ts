import type { AssistantMessage, ChatRequest, Model, ThinkingLevel } from "@coppice/ai";
import type { TokenEstimator } from "./estimate-text.ts";
import type { SummaryPrompts } from "./prompts.ts";

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
