// Messages

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
export { THINKING_LEVELS, type ThinkingLevel } from "./thinking-level.ts";
export {
  addUsage,
  type TokenCounts,
  type Usage,
  type UsageCost,
  usageWithCost,
  ZERO_COST,
  ZERO_USAGE,
} from "./usage.ts";

// Calling a model

export { type Client, type ClientOptions, createClient, type ProviderSource } from "./client.ts";
export { builtinProviders } from "./builtin-providers.ts";
export type { AnswerHeaders, Post, PostAnswer, PostRequest } from "./post.ts";
export type { CacheRetention, ChatRequest, ResponseHead } from "./request.ts";
export { composeMiddleware, type StreamMiddleware } from "./middleware.ts";
export { type RetryNotice, type RetryOptions, retryMiddleware } from "./retry.ts";
export {
  DEFAULT_RETRY_SETTINGS,
  type RetryDelayOptions,
  type RetrySettings,
  retryDelayMs,
} from "./retry-delay.ts";
export type { CostLookup } from "./answered-cost.ts";

// Streams

export { createMessageStream, type MessageStream, type MessageStreamSource } from "./message-stream.ts";
export { type EventOf, isTerminal, type StreamEvent, type StreamEventMap } from "./stream-event.ts";
export { assemble } from "./assemble.ts";

// Models and vendors

export {
  type InputKind,
  type Model,
  type ModelCost,
  type ImageLimits,
  modelName,
  type Prices,
  type PriceTier,
} from "./model.ts";
export { type ModelChoice, matchModel } from "./model-pattern.ts";
export { findModel } from "./find-model.ts";
export { imageRuleOf } from "./image-rules.ts";
export {
  createModelRegistry,
  type ModelRegistry,
  type ModelRegistryOptions,
  mergeModels,
  type UserModel,
  type UserProvider,
} from "./model-registry.ts";
export { clampThinkingLevel, supportedThinkingLevels } from "./thinking.ts";
export type { CatalogueEntry, Vendor } from "./vendors/vendor.ts";
export { vendors } from "./vendors/vendors.ts";

// Tools

export type { ToolSpec } from "./tool-schema.ts";
export { type ParsedArguments, parseToolArguments } from "./tool-arguments.ts";
export { type ArgumentCheck, validateToolArguments } from "./validate-arguments.ts";

// Providers: writing one

export type { ImageRule, Provider, ProviderIo, StreamFunction, ToolCallIdRule } from "./provider.ts";
export { type FailureOptions, failureEvent } from "./failure.ts";
export { repairHistory } from "./repair/repair-history.ts";

// Errors

export {
  CoppiceError,
  type CoppiceErrorOptions,
  type ErrorCodeRow,
  type ErrorInfo,
  type ErrorTable,
  isCoppiceError,
} from "./errors.ts";
export {
  isProviderError,
  PROVIDER_ERRORS,
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorOptions,
} from "./provider-error.ts";
