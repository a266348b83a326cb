import type { AgentMessage } from "@coppice/agent";
import type { AssistantContent, AssistantMessage, ToolCall, ToolSpec, Usage } from "@coppice/ai";
import { type ConversationSizes, conversationSizes, unchangedSizes } from "./conversation-sizes.ts";
import { estimateTextTokens, scriptEstimator, type TokenEstimator } from "./estimate-text.ts";

/** What one image costs, whatever its size: between what providers charge for a screenshot. */
export const IMAGE_TOKENS = 1200;

/** Of an object in JSON, and of what stands around a name and its value. */
const BRACES_TOKENS = 1;
const QUOTES_TOKENS = 2;

export interface ContextSize {
  /** Size of the next request in tokens, system prompt and tools included. */
  readonly tokens: number;
  /** How much of it is reported by a provider (the rest is estimated). */
  readonly reportedTokens: number;
  readonly isEstimate: boolean;
}

export interface EstimateContextInput {
  /** What the next request sends, oldest first. */
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  /**
   * Index of the first message whose usage speaks of the present context; what stands before was reported before a
   * compaction. Absent = told by the time stamp of the compaction summary among the messages.
   */
  readonly usageValidFrom?: number;
  readonly estimator?: TokenEstimator;
}

type KnownSizes = WeakMap<AgentMessage, number>;

const memo = new WeakMap<TokenEstimator, KnownSizes>();
const knownByScript: KnownSizes = new WeakMap();

/** Estimated tokens of one message as the model sees it, remembered per message object. */
export function estimateTokens(message: AgentMessage, estimator: TokenEstimator = scriptEstimator): number {
  const known = estimator === scriptEstimator ? knownByScript : knownSizes(estimator);
  let tokens = known.get(message);
  if (tokens === undefined) {
    tokens = measure(message, estimator);
    known.set(message, tokens);
  }
  return tokens;
}

/** Estimated tokens of each message of a conversation, remembered for the conversation. */
export function estimateAll(
  messages: readonly AgentMessage[],
  estimator: TokenEstimator = scriptEstimator,
): ConversationSizes {
  // Measuring by script costs less than asking what is remembered of single messages; a tokenizer costs more.
  const sizeOf = estimator === scriptEstimator ? measure : estimateTokens;
  return conversationSizes(messages, estimator, sizeOf);
}

function knownSizes(estimator: TokenEstimator): KnownSizes {
  let known = memo.get(estimator);
  if (known === undefined) {
    known = new WeakMap();
    memo.set(estimator, known);
  }
  return known;
}

/** Estimated tokens of the system prompt and the tool declarations. */
export function estimateOverheadTokens(input: Omit<EstimateContextInput, "messages">): number {
  const { systemPrompt = "", tools = [], estimator = scriptEstimator } = input;
  let tokens = estimator.estimateText(systemPrompt);
  for (const tool of tools) {
    tokens += estimator.estimateText(tool.name + tool.description + JSON.stringify(tool.parameters));
  }
  return tokens;
}

/**
 * Size of the next request: the last valid report of a provider plus an estimate of what followed it.
 *
 * Without a valid report everything is estimated. Failed, aborted and all-zero answers report nothing.
 */
export function estimateContextTokens(input: EstimateContextInput): ContextSize {
  const { messages, estimator = scriptEstimator } = input;
  const known = unchangedSizes(messages, estimator);
  const validFrom = input.usageValidFrom ?? BY_TIME;
  const isUnreported = known !== undefined && unreported.get(known) === validFrom;
  const anchor = isUnreported ? -1 : lastReport(input);
  const report = messages[anchor];
  if (report?.role !== "assistant") {
    const sizes = known ?? estimateAll(messages, estimator);
    unreported.set(sizes, validFrom);
    return { tokens: estimateOverheadTokens(input) + sizes.total, reportedTokens: 0, isEstimate: true };
  }
  const reportedTokens = reportedContextTokens(report.usage);
  const tokens = messages
    .slice(anchor + 1)
    .reduce((sum, message) => sum + estimateTokens(message, estimator), reportedTokens);
  return { tokens, reportedTokens, isEstimate: false };
}

/** In place of an index: which usage is valid is told by time stamps. */
const BY_TIME = -1;
/** Conversations, by their sizes, that no answer from that index on reports on: looking for one goes over everything. */
const unreported = new WeakMap<ConversationSizes, number>();

/** Index of the newest answer whose usage speaks of the present context; -1 without one. */
function lastReport({ messages, usageValidFrom }: EstimateContextInput): number {
  let compactedAt = usageValidFrom === undefined ? undefined : Number.NEGATIVE_INFINITY;
  for (let index = messages.length - 1; index >= (usageValidFrom ?? 0); index--) {
    const message = messages[index] as AgentMessage;
    if (message.role !== "assistant" || !reportsContextSize(message)) continue;
    compactedAt ??= compactionTime(messages);
    if (message.timestamp > compactedAt) return index;
  }
  return -1;
}

/** When the latest compaction among the messages was made. */
function compactionTime(messages: readonly AgentMessage[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as AgentMessage;
    if (message.role === "compactionSummary") return message.timestamp;
  }
  return Number.NEGATIVE_INFINITY;
}

/** Tokens in the context after a call: everything sent, cached or not, plus the answer. */
export function reportedContextTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

/** True for an answer whose usage tells the size of the context: successful and not all zero. */
export function reportsContextSize(message: AssistantMessage): boolean {
  if (message.stopReason === "error" || message.stopReason === "aborted") return false;
  const { usage } = message as { readonly usage?: Usage };
  return usage !== undefined && usage.input + usage.cacheRead + usage.cacheWrite > 0;
}

function measure(message: AgentMessage, estimator: TokenEstimator): number {
  switch (message.role) {
    case "user":
    case "toolResult":
    case "custom":
    case "system":
      return contentTokens(message.content, estimator);
    case "assistant":
      return assistantTokens(message, estimator);
    case "bashExecution":
      return message.excludeFromContext === true
        ? 0
        : estimator.estimateText(message.command) + estimator.estimateText(message.output);
    case "compactionSummary":
    case "branchSummary":
      return estimator.estimateText(message.summary);
    default:
      // A role that an application added: whatever it becomes, it is about as long as its JSON.
      return estimator.estimateText(JSON.stringify(message));
  }
}

interface Block {
  readonly type: string;
  readonly text?: string;
}

function contentTokens(
  content: string | readonly Block[] | null | undefined,
  estimator: TokenEstimator,
): number {
  if (typeof content === "string") return estimator.estimateText(content);
  const blocks = content ?? [];
  let tokens = 0;
  for (let index = 0; index < blocks.length; index++) {
    const { type, text = "" } = blocks[index] as Block;
    tokens += type === "image" ? IMAGE_TOKENS : estimator.estimateText(text);
  }
  return tokens;
}

function assistantTokens(message: AssistantMessage, estimator: TokenEstimator): number {
  if (typeof message.content === "string") return estimator.estimateText(message.content);
  const blocks = message.content ?? [];
  let tokens = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] as AssistantContent;
    if (block.type === "text") tokens += estimator.estimateText(block.text);
    else if (block.type === "thinking") tokens += estimator.estimateText(block.thinking);
    else tokens += estimator.estimateText(block.name) + argumentsTokens(block.arguments, estimator);
  }
  return tokens;
}

/** By script, in parts: making the text of ten thousand calls costs more than measuring it. */
function argumentsTokens(callArguments: ToolCall["arguments"], estimator: TokenEstimator): number {
  if (estimator !== scriptEstimator) return estimator.estimateText(JSON.stringify(callArguments));
  let tokens = BRACES_TOKENS;
  for (const name in callArguments) {
    const value = callArguments[name];
    tokens += estimateTextTokens(name) + QUOTES_TOKENS;
    tokens += estimateTextTokens(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  }
  return tokens;
}
