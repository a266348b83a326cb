import type { Model } from "../../model.ts";

/** How a server switches thinking; `openai` = `reasoning_effort`. */
type ThinkingFormat =
  | "openai"
  | "openrouter"
  | "deepseek"
  | "together"
  | "zai"
  | "qwen"
  | "baseten"
  | "chat-template";

/** A server's dialect. A field that is off is never sent: unknown servers refuse what they do not know. */
export interface Quirks {
  readonly supportsDeveloperRole: boolean;
  readonly supportsStore: boolean;
  readonly supportsReasoningEffort: boolean;
  readonly supportsUsageInStreaming: boolean;
  readonly supportsPromptCacheKey: boolean;
  readonly supportsLongCacheRetention: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Ask for the model's own limit where the caller names none; off where a server's default is the best one. */
  readonly sendsOutputLimit: boolean;
  readonly thinkingFormat: ThinkingFormat;
  readonly chatTemplateArgs: Readonly<Record<string, unknown>> | undefined;
  readonly zaiToolStream: boolean;
  readonly sendSessionAffinityHeaders: boolean;
  /** The header that keeps a session on one server: `x-session-affinity`, or OpenRouter's `x-session-id`. */
  readonly sessionAffinityFormat: "openai" | "openrouter";
  readonly cacheControlFormat: "anthropic" | undefined;
  readonly requiresToolResultName: boolean;
  readonly requiresAssistantAfterToolResult: boolean;
  readonly requiresNonNullAssistantContent: boolean;
  readonly requiresReasoningContentOnAssistantMessages: boolean;
  readonly requiresToolsField: boolean;
  /** Off: the end of the connection ends an answer, since the server names no reason and sends no `[DONE]`. */
  readonly supportsFinishReason: boolean;
  /** The body field that takes a number of tokens to think with, for example `thinking_budget`. */
  readonly thinkingTokenBudgetField: string | undefined;
  /** Which of its upstream servers OpenRouter may use: the `provider` field. */
  readonly openRouterRouting: Readonly<Record<string, unknown>> | undefined;
  /** The same of Vercel's gateway: `providerOptions.gateway`. */
  readonly vercelGatewayRouting: Readonly<Record<string, unknown>> | undefined;
}

const BASE: Quirks = {
  supportsDeveloperRole: false,
  supportsStore: false,
  supportsReasoningEffort: true,
  supportsUsageInStreaming: true,
  supportsPromptCacheKey: false,
  supportsLongCacheRetention: false,
  maxTokensField: "max_tokens",
  sendsOutputLimit: false,
  thinkingFormat: "openai",
  chatTemplateArgs: undefined,
  zaiToolStream: false,
  sendSessionAffinityHeaders: false,
  sessionAffinityFormat: "openai",
  cacheControlFormat: undefined,
  requiresToolResultName: false,
  requiresAssistantAfterToolResult: false,
  requiresNonNullAssistantContent: false,
  requiresReasoningContentOnAssistantMessages: false,
  requiresToolsField: false,
  supportsFinishReason: true,
  thinkingTokenBudgetField: undefined,
  openRouterRouting: undefined,
  vercelGatewayRouting: undefined,
};

/** Dialects known by host, for models whose entry says nothing. A host also stands for its subdomains. */
const BY_HOST: readonly (readonly [host: string, quirks: Partial<Quirks>])[] = [
  [
    "api.openai.com",
    {
      supportsDeveloperRole: true,
      supportsStore: true,
      supportsPromptCacheKey: true,
      supportsLongCacheRetention: true,
      maxTokensField: "max_completion_tokens",
      sendsOutputLimit: true,
    },
  ],
  [
    "openrouter.ai",
    { thinkingFormat: "openrouter", maxTokensField: "max_tokens", sessionAffinityFormat: "openrouter" },
  ],
  ["api.deepseek.com", { thinkingFormat: "deepseek" }],
  ["api.groq.com", { maxTokensField: "max_completion_tokens" }],
  ["api.cerebras.ai", { maxTokensField: "max_completion_tokens" }],
  ["api.together.ai", { thinkingFormat: "together", supportsReasoningEffort: false }],
  ["api.together.xyz", { thinkingFormat: "together", supportsReasoningEffort: false }],
  ["api.z.ai", { thinkingFormat: "zai", supportsReasoningEffort: false }],
  ["api.moonshot.ai", { thinkingFormat: "deepseek", supportsReasoningEffort: false }],
  ["api.mistral.ai", { supportsReasoningEffort: false, requiresAssistantAfterToolResult: true }],
  ["dashscope.aliyuncs.com", { thinkingFormat: "qwen", supportsReasoningEffort: false }],
  ["dashscope-intl.aliyuncs.com", { thinkingFormat: "qwen", supportsReasoningEffort: false }],
];

/** The dialect of a model's server: the model's own quirks over what the host is known for over the safest guess. */
export function quirksOf(model: Pick<Model, "baseUrl" | "quirks">): Quirks {
  const known = BY_HOST.find(([host]) => isHost(model.baseUrl, host))?.[1];
  return { ...BASE, ...known, ...(model.quirks as Partial<Quirks> | undefined) };
}

function isHost(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.toLowerCase();
  return name === host || name.endsWith(`.${host}`);
}
