import type { AssistantMessage } from "@coppice/ai";
import { reportsContextSize } from "./estimate.ts";
import { usableWindow } from "./settings.ts";

export interface SilentOverflowInput {
  readonly answer: AssistantMessage;
  /** Window of the model that answered. */
  readonly contextWindow: number | undefined;
  /** What the request was estimated to be, in tokens. */
  readonly estimatedTokens: number;
}

/** Share of the window from which a prompt counts as filling it. */
const FULL_SHARE = 0.99;
/** An estimate this much above a full window is no estimation error: the server cut the prompt. */
const CUT_FACTOR = 1.3;

/**
 * Whether a server took a prompt that does not fit and cut it without an error, or had no room left to answer.
 *
 * Seen in the usage: a prompt above the window, one that fills it while the estimate is far above, or one that fills it
 * with an answer of length 0.
 */
export function isSilentOverflow({ answer, contextWindow, estimatedTokens }: SilentOverflowInput): boolean {
  if (!reportsContextSize(answer)) return false;
  const window = usableWindow(contextWindow);
  const { input, cacheRead, cacheWrite, output } = answer.usage;
  const promptTokens = input + cacheRead + cacheWrite;
  if (promptTokens > window) return true;
  const isFull = promptTokens >= window * FULL_SHARE;
  return (
    isFull && (estimatedTokens > window * CUT_FACTOR || (answer.stopReason === "length" && output === 0))
  );
}
