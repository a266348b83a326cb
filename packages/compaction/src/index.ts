// Size

export {
  type ContextSize,
  type EstimateContextInput,
  estimateContextTokens,
  estimateOverheadTokens,
  estimateTokens,
  IMAGE_TOKENS,
  reportedContextTokens,
} from "./estimate.ts";
export { estimateTextTokens, scriptEstimator, type TokenEstimator } from "./estimate-text.ts";
export { learnEstimateFactor, scaledEstimator } from "./estimate-factor.ts";
export { usageValidFrom } from "./usage-valid-from.ts";
export { isSilentOverflow, type SilentOverflowInput } from "./silent-overflow.ts";

// Settings and decision

export {
  COMPACTION_PRESETS,
  type CompactionSettings,
  type CompactionSettingsInput,
  DEFAULT_COMPACTION_SETTINGS,
  FALLBACK_CONTEXT_WINDOW,
  type ResolveCompactionSettingsOptions,
  type ResolvedCompactionSettings,
  resolveCompactionSettings,
  triggerTokensOf,
  usableWindow,
  validateCompactionSettings,
} from "./settings.ts";
export { type ShouldCompactInput, shouldCompact } from "./should-compact.ts";

// Compaction

export { type CutPoint, type FindCutPointInput, findCutPoint } from "./cut-point.ts";
export {
  type CompactionPreparation,
  type PrepareCompactionInput,
  prepareCompaction,
} from "./prepare-compaction.ts";
export {
  type CompactionResult,
  compact,
  compactByExtract,
  compactOrExtract,
  compactWithText,
} from "./compact.ts";
export { type CompactionPreview, type PreviewOptions, previewCompaction } from "./preview-compaction.ts";
export {
  type GeneratedSummary,
  type GenerateSummaryInput,
  generateSummary,
  generateTurnPrefixSummary,
} from "./summarise.ts";
export type { SummaryCallOptions } from "./summary-call.ts";
export { EXTRACT_NOTE, type ExtractInput, extractSummary } from "./extract.ts";
export { serializeConversation } from "./serialize-conversation.ts";
export {
  BRANCH_SUMMARIZATION_PROMPT,
  DEFAULT_SUMMARY_PROMPTS,
  ON_PREFIX_SUMMARIZATION_PROMPT,
  SUMMARIZATION_PROMPT,
  SUMMARIZATION_SYSTEM_PROMPT,
  type SummaryPrompts,
  TURN_PREFIX_SUMMARIZATION_PROMPT,
  UPDATE_SUMMARIZATION_PROMPT,
} from "./prompts.ts";

// Strategies and the ladder

export { checkCompactionResult, tokensFreedBy } from "./check-outcome.ts";
export { freshInput } from "./fresh-input.ts";
export {
  type CompactionStrategy,
  DEFAULT_STRATEGIES,
  extractStrategy,
  maskStrategy,
  type ShrinkContextInput,
  type ShrunkContext,
  type StrategyInput,
  type StrategyOutcome,
  shrinkContext,
  summarizeStrategy,
} from "./strategy.ts";
export { LEAST_EARLY_TOKENS, type PlanEarlyMaskingInput, planEarlyMasking } from "./early-masking.ts";
export { isMasked, type PlanMaskingInput, planMasking } from "./mask.ts";
export type { Shortening } from "./shorten-kept.ts";

// What is carried over

export { type FileBlockLimit, fileBlocks } from "./file-blocks.ts";
export { fileOperationsOf, mergeFileLists, recentFilesOf } from "./file-operations.ts";
export { type FileCall, type FileTouches, fileListsOf, fileTouchesOf } from "./file-touches.ts";
export { activePins, PIN_CUSTOM_TYPE, type Pin, pinnedSection, withoutPinnedSection } from "./pins.ts";
export { type DetectPinsInput, detectPins } from "./rules/detect-pins.ts";
export { detectRules, RULE_PATTERNS } from "./rules/detect-rules.ts";
export type { RulePatterns } from "./rules/rule-patterns.ts";

// Branches

export {
  type BranchEntries,
  type BranchPaths,
  type BranchSummaryResult,
  collectEntriesForBranchSummary,
  EMPTY_BRANCH_SUMMARY,
  type GenerateBranchSummaryInput,
  generateBranchSummary,
} from "./branch-summarization.ts";

// Errors

export {
  COMPACTION_ERRORS,
  CompactionError,
  type CompactionErrorCode,
  isCompactionError,
} from "./errors.ts";
