// Messages

// Events and hooks
export type { AgentEvent, AgentEventMap } from "./events.ts";
export {
  defineHooks,
  HookBlockedError,
  type HookFailure,
  type HookHandler,
  type HookInput,
  type HookOutput,
  type HookPolicy,
  type HookRow,
  type HookTable,
  hook,
} from "./hook-runner.ts";
export {
  type AgentHooks,
  agentHooks,
  type BeforeAgentStart,
  type ContextDraft,
  type ConvertToLlm,
  type FinishedTurn,
  type NextTurn,
  type ProviderPayloadDraft,
  type ProviderRequestDraft,
  type ToolCallDraft,
  type ToolCallVerdict,
  type ToolOutcome,
} from "./hooks.ts";
export type {
  AgentMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomAgentMessages,
  CustomMessage,
} from "./messages.ts";
// Tools
export type { AgentTool, AnyAgentTool, ToolContext, ToolResult } from "./tool.ts";
