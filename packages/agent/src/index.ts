// The agent
export { Agent, type AgentOptions, type RunEndDecision } from "./agent.ts";
export { AgentState, type AgentStateOptions } from "./agent-state.ts";
export type { PromptInput } from "./prompt-messages.ts";
export { AGENT_ERRORS, AgentError, type AgentErrorCode } from "./errors.ts";

// The loop
export { runAgentLoop, type RunOutcome } from "./agent-loop.ts";
export type { AgentLoopOptions, BeforeRequest, RequestDraft, RunOptions } from "./agent-run.ts";
export { MessageQueue, type QueueMode } from "./queue.ts";
export { afterTool, anyOf, maxTurns, type StopCondition } from "./stop.ts";

// Events
export type { AgentEvent, AgentEventMap } from "./events.ts";
export type { AgentListener, ListenerErrorHandler } from "./listeners.ts";

// Messages
export type {
  AgentMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomAgentMessages,
  CustomMessage,
} from "./messages.ts";
export { convertToLlm, messageToLlm } from "./convert-to-llm.ts";
export { isAnswered, lastAnswer, totalUsage } from "./transcript.ts";
export { hasOnlyBrokenCalls } from "./broken-calls.ts";

// Tools
export type { AgentTool, AnyAgentTool, ToolContext, ToolResult } from "./tool.ts";
export { errorResult } from "./tool-outcome.ts";

// Hooks of a run
export {
  agentHooks,
  type AgentHooks,
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

// Hook tables, and the runner of their handlers
export {
  defineHooks,
  hook,
  type HookHandler,
  type HookInput,
  type HookOptions,
  type HookOutput,
  type HookPolicy,
  type HookResult,
  type HookRow,
  type HookTable,
} from "./hook-table.ts";
export {
  HookBlockedError,
  HookRunner,
  runHook,
  type HookFailure,
  type HookRegistration,
  type HookRunnerOptions,
  type HookSource,
} from "./hook-runner.ts";

// Waiting
export { untilAborted } from "./until-aborted.ts";
