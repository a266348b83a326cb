// The agent
export {
  Agent,
  type AgentOptions,
  type RunEndDecision,
} from "./agent.ts";
export { type RunOutcome, runAgentLoop } from "./agent-loop.ts";
export type { AgentLoopOptions, BeforeRequest, RequestDraft, RunOptions } from "./agent-run.ts";
export { AgentState, type AgentStateOptions } from "./agent-state.ts";
// Messages
export { convertToLlm, messageToLlm } from "./convert-to-llm.ts";
export { AGENT_ERRORS, AgentError, type AgentErrorCode } from "./errors.ts";
// Events and hooks
export type { AgentEvent, AgentEventMap } from "./events.ts";
export {
  HookBlockedError,
  type HookFailure,
  type HookRegistration,
  HookRunner,
  type HookRunnerOptions,
  type HookSource,
  runHook,
} from "./hook-runner.ts";
export {
  defineHooks,
  type HookHandler,
  type HookInput,
  type HookOptions,
  type HookOutput,
  type HookPolicy,
  type HookResult,
  type HookRow,
  type HookTable,
  hook,
} from "./hook-table.ts";
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
export type { AgentListener, ListenerErrorHandler } from "./listeners.ts";
export type {
  AgentMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomAgentMessages,
  CustomMessage,
} from "./messages.ts";
export type { PromptInput } from "./prompt-messages.ts";
export { MessageQueue, type QueueMode } from "./queue.ts";
export { afterTool, anyOf, maxTurns, type StopCondition } from "./stop.ts";
// Tools
export type { AgentTool, AnyAgentTool, ToolContext, ToolResult } from "./tool.ts";
export { errorResult } from "./tool-outcome.ts";
export { isAnswered, lastAnswer } from "./transcript.ts";
