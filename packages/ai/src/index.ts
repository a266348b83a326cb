// Calling a model
export type { CostLookup } from "./answered-cost.ts";
// Streams
export { assemble } from "./assemble.ts";
export { builtinProviders } from "./builtin-providers.ts";
export { type Client, type ClientOptions, createClient, type ProviderSource } from "./client.ts";
// Errors
export {
  CoppiceError,
  type CoppiceErrorOptions,
  type ErrorCodeRow,
  type ErrorInfo,
  type ErrorTable,
  isCoppiceError,
} from "./errors.ts";
export { type FailureOptions, failureEvent } from "./failure.ts";
export type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  StopReason,
  SystemMessage,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "./message.ts";
export { textOf, toolCallsOf } from "./message.ts";
export { createMessageStream, type MessageStream, type MessageStreamSource } from "./message-stream.ts";
// Models and usage
export { findModel } from "./find-model.ts";
export {
  type InputKind,
  type Model,
  type ModelCost,
  modelName,
  type Prices,
  type PriceTier,
} from "./model.ts";
export { type ModelChoice, matchModel } from "./model-pattern.ts";
export {
  createModelRegistry,
  type ModelRegistry,
  type ModelRegistryOptions,
  mergeModels,
  type UserModel,
  type UserProvider,
} from "./model-registry.ts";
export type { CatalogueEntry, Vendor } from "./vendors/vendor.ts";
export { vendors } from "./vendors/vendors.ts";
export type { ImageRule, Provider, ProviderIo, StreamFunction, ToolCallIdRule } from "./provider.ts";
export {
  isProviderError,
  PROVIDER_ERRORS,
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorOptions,
} from "./provider-error.ts";
export { repairHistory } from "./repair/repair-history.ts";
export { type RetryNotice, type RetryOptions, retryMiddleware } from "./retry.ts";
export {
  DEFAULT_RETRY_SETTINGS,
  type RetryDelayOptions,
  type RetrySettings,
  retryDelayMs,
} from "./retry-delay.ts";
export { composeMiddleware, type StreamMiddleware } from "./middleware.ts";
export type { CacheRetention, ChatRequest, ResponseHead } from "./request.ts";
export { type EventOf, isTerminal, type StreamEvent, type StreamEventMap } from "./stream-event.ts";
export { clampThinkingLevel, supportedThinkingLevels } from "./thinking.ts";
export { THINKING_LEVELS, type ThinkingLevel } from "./thinking-level.ts";
// Tools
export { type ParsedArguments, parseToolArguments } from "./tool-arguments.ts";
export type { ToolSpec } from "./tool-schema.ts";
export {
  addUsage,
  type TokenCounts,
  type Usage,
  type UsageCost,
  usageWithCost,
  ZERO_COST,
  ZERO_USAGE,
} from "./usage.ts";
export { type ArgumentCheck, validateToolArguments } from "./validate-arguments.ts";
