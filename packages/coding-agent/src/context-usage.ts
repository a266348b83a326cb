import type { AgentMessage } from "@coppice/agent";
import { estimateContextTokens, estimateTokens } from "@coppice/compaction";
import type { Projection } from "./context-view.ts";

/** How full the context is. */
export interface ContextUsage {
  readonly tokens: number;
  readonly isEstimate: boolean;
  readonly contextWindow: number;
  /** Tokens at which automatic compaction starts. */
  readonly triggerTokens: number;
  /** Tokens by source; the parts sum to `tokens`. */
  readonly parts: {
    readonly system: number;
    readonly tools: number;
    readonly contextFiles: number;
    readonly summary: number;
    readonly messages: number;
  };
}

export interface ContextUsageInput {
  readonly projection: Projection;
  /** Text of the context files as it stands in the system prompt. */
  readonly contextFilesText: string;
  readonly contextWindow: number;
  readonly triggerTokens: number;
}

/**
 * The size of the next request, by source.
 *
 * Sources are estimated one by one and scaled to the total, which a provider may have reported; rounding goes to
 * `messages`.
 */
export function contextUsage(input: ContextUsageInput): ContextUsage {
  const { projection, contextWindow, triggerTokens } = input;
  const { systemPrompt, tools, messages, size } = projection;
  const none: readonly AgentMessage[] = [];
  const textTokens = (text: string) => estimateContextTokens({ messages: none, systemPrompt: text }).tokens;
  const contextFiles = textTokens(input.contextFilesText);
  const summaries = messages.filter((message) => message.role === "compactionSummary");
  const others = messages.filter((message) => message.role !== "compactionSummary");
  const estimates = {
    system: Math.max(0, textTokens(systemPrompt) - contextFiles),
    tools: estimateContextTokens({ messages: none, tools }).tokens,
    contextFiles,
    summary: sum(summaries),
    messages: sum(others),
  };
  const estimated = Object.values(estimates).reduce((total, part) => total + part, 0);
  const scale = estimated === 0 ? 0 : size.tokens / estimated;
  const scaled = (part: number) => Math.floor(part * scale);
  const fixed = {
    system: scaled(estimates.system),
    tools: scaled(estimates.tools),
    contextFiles: scaled(estimates.contextFiles),
    summary: scaled(estimates.summary),
  };
  const rest = size.tokens - fixed.system - fixed.tools - fixed.contextFiles - fixed.summary;
  return {
    tokens: size.tokens,
    isEstimate: size.isEstimate,
    contextWindow,
    triggerTokens,
    parts: { ...fixed, messages: rest },
  };
}

function sum(messages: readonly AgentMessage[]): number {
  return messages.reduce((total, message) => total + estimateTokens(message), 0);
}
