import { type CompactionSettings, triggerTokensOf } from "./settings.ts";

export interface ShouldCompactInput {
  /** Size of the next request, from `estimateContextTokens`. */
  readonly contextTokens: number;
  /** The window of the model of the next request; absent or 0 = the fallback window. */
  readonly contextWindow: number | undefined;
  readonly settings: CompactionSettings;
  /** User and assistant messages since the latest compaction, for `maxMessages`. */
  readonly messagesSinceCompaction?: number;
}

/** Whether the context should be compacted before the next request; never when compaction is off. */
export function shouldCompact(input: ShouldCompactInput): boolean {
  const { contextTokens, contextWindow, settings, messagesSinceCompaction = 0 } = input;
  if (!settings.enabled) return false;
  if (contextTokens > triggerTokensOf({ contextWindow, settings })) return true;
  return settings.maxMessages !== undefined && messagesSinceCompaction > settings.maxMessages;
}
