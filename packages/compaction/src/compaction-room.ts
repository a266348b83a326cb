import type { ToolSpec } from "@coppice/ai";
import { CompactionError } from "./errors.ts";
import { estimateOverheadTokens } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
import { type CompactionSettings, triggerTokensOf, usableWindow } from "./settings.ts";

/** How the window is shared out for one compaction; all in tokens. */
export interface CompactionRoom {
  /** System prompt and tools. */
  readonly overhead: number;
  /** What the next request may be: the trigger, or nearly the window where the trigger cannot be reached. */
  readonly limit: number;
  /** For the summary, while the cut is chosen. */
  readonly allowance: number;
  /** For kept history. */
  readonly kept: number;
}

export interface CompactionRoomInput {
  readonly contextWindow: number;
  readonly settings: CompactionSettings;
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  readonly estimator?: TokenEstimator;
}

/** Share of the limit set aside for the summary while the cut is chosen. */
const SUMMARY_SHARE = 0.15;
/** Most that is set aside for it on large windows. */
const SUMMARY_ALLOWANCE_TOKENS = 4096;
/** Share of the window that a request may fill where the trigger is out of reach: the answer needs some room. */
const FULL_SHARE = 0.92;

/** The room below the trigger; undefined when system prompt and tools alone fill it. */
export function roomBelowTrigger(input: CompactionRoomInput): CompactionRoom | undefined {
  return roomBelow(triggerTokensOf(input), input);
}

/** The room in the whole window. Throws `window_too_small` when system prompt and tools alone fill it. */
export function roomInWindow(input: CompactionRoomInput): CompactionRoom {
  const window = usableWindow(input.contextWindow);
  const room = roomBelow(Math.floor(window * FULL_SHARE), input);
  if (room !== undefined) return room;
  throw new CompactionError({
    code: "window_too_small",
    message: `System prompt and tools take about ${estimateOverheadTokens(input)} tokens of a window of ${window}: it is too small for this prompt.`,
    data: { contextWindow: window },
  });
}

function roomBelow(limit: number, input: CompactionRoomInput): CompactionRoom | undefined {
  const overhead = estimateOverheadTokens(input);
  const most = input.settings.maxSummaryTokens ?? SUMMARY_ALLOWANCE_TOKENS;
  const allowance = Math.min(SUMMARY_ALLOWANCE_TOKENS, most, Math.floor(limit * SUMMARY_SHARE));
  const kept = limit - overhead - allowance;
  return kept > 0 ? { overhead, limit, allowance, kept } : undefined;
}
