import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  ResponseHead,
  TextContent,
  ThinkingLevel,
  ToolCall,
  ToolResultMessage,
} from "@coppice/ai";
import { defineHooks, hook } from "./hook-table.ts";
import type { AgentMessage } from "./messages.ts";

export interface BeforeAgentStart {
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
}

export interface ContextDraft {
  readonly messages: readonly AgentMessage[];
}

export interface ProviderRequestDraft {
  readonly headers: Readonly<Record<string, string>>;
  readonly idleTimeoutMs?: number;
}

export interface ProviderPayloadDraft {
  readonly payload: unknown;
}

export interface ToolCallDraft {
  readonly call: ToolCall;
  /** Validated arguments. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** `block` stops the call, with `reason` as its error result; `input` replaces the arguments (validated again). */
export interface ToolCallVerdict {
  readonly block?: boolean;
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface ToolOutcome {
  readonly call: ToolCall;
  readonly input: Readonly<Record<string, unknown>>;
  readonly content: readonly (TextContent | ImageContent)[];
  readonly details?: unknown;
  readonly isError: boolean;
  readonly terminate?: boolean;
}

/** What the next turn starts from; the given fields of an answer replace those in force. */
export interface NextTurn {
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
  readonly model: Model;
  readonly thinkingLevel: ThinkingLevel;
}

export interface FinishedTurn {
  readonly turnIndex: number;
  readonly message: AssistantMessage;
  readonly toolResults: readonly ToolResultMessage[];
}

/** The hooks of a run, declared once. `coding-agent` extends this table; nobody redeclares it. */
export const agentHooks = defineHooks({
  /** Before each prompt: may add messages or change the system prompt. */
  before_agent_start: hook<BeforeAgentStart, Partial<BeforeAgentStart>, "patch">("patch"),
  /** Before each model call: prune or inject. Never stored. */
  context: hook<ContextDraft, ContextDraft, "pipe">("pipe"),
  before_provider_request: hook<ProviderRequestDraft, Partial<ProviderRequestDraft>, "patch">("patch"),
  /** The wire body, just before it is sent. */
  before_provider_payload: hook<ProviderPayloadDraft, ProviderPayloadDraft, "pipe">("pipe"),
  after_provider_response: hook<ResponseHead, void, "observe">("observe"),
  /**
   * Before a tool runs, in call order. A throw blocks the call; so does the first handler that says `block`. A changed
   * `input` goes on to the handlers after it.
   */
  tool_call: hook<ToolCallDraft, ToolCallVerdict, "first">("first", {
    guard: true,
    decides: (verdict) => verdict.block === true,
  }),
  tool_result: hook<ToolOutcome, Partial<ToolOutcome>, "patch">("patch"),
  /** Between turns, before steering is polled again. */
  prepareNextTurn: hook<NextTurn, Partial<NextTurn>, "patch">("patch"),
  /** After a turn: any `true` ends the run. */
  shouldStopAfterTurn: hook<FinishedTurn, boolean, "first">("first", { decides: (answer) => answer }),
});

export type AgentHooks = typeof agentHooks;

/** `AgentMessage[]` → what the model sees. The default is `convertToLlm`. */
export type ConvertToLlm = (messages: readonly AgentMessage[]) => readonly Message[];
