import type { Model, StreamFunction, ThinkingLevel } from "@coppice/ai";
import type { AgentState } from "./agent-state.ts";
import { convertToLlm } from "./convert-to-llm.ts";
import { growingConversion } from "./growing-conversion.ts";
import { HookRunner, type HookSource } from "./hook-runner.ts";
import { type AgentHooks, agentHooks, type ConvertToLlm } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";
import { MessageQueue } from "./queue.ts";
import type { StopCondition } from "./stop.ts";
import type { AnyAgentTool } from "./tool.ts";

/** What a request is made from, before the `context` hook and conversion. */
export interface RequestDraft {
  readonly messages: readonly AgentMessage[];
  readonly systemPrompt: string;
  readonly model: Model;
  readonly thinkingLevel: ThinkingLevel;
  readonly tools: readonly AnyAgentTool[];
}

/**
 * The owner's word before every request, the first included: a place to compact, or to replace the transcript.
 *
 * Given `messages` replace the agent's transcript; the other fields hold for this request only. It is always awaited,
 * also after an abort: it must watch `signal`. A throw ends the run with a failed assistant message.
 */
export type BeforeRequest = (
  draft: RequestDraft,
  signal: AbortSignal,
) => Promise<Partial<RequestDraft> | undefined>;

/** How a run reaches the model and what it obeys. */
export interface RunOptions {
  readonly streamFunction: StreamFunction;
  /** The default is `convertToLlm`. */
  readonly convertToLlm?: ConvertToLlm | undefined;
  readonly hooks?: HookSource<AgentHooks> | undefined;
  readonly beforeRequest?: BeforeRequest | undefined;
  readonly stopWhen?: StopCondition | undefined;
  /** Stable id of the conversation, for the provider's cache. */
  readonly sessionId?: string | undefined;
  /** How long a tool or a stream may go on after an abort before the run ends without it; default 5 seconds. */
  readonly abortGraceMs?: number | undefined;
  /** Unix milliseconds. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_ABORT_GRACE_MS = 5_000;

export interface AgentLoopOptions extends RunOptions {
  readonly state: AgentState;
  readonly steering?: MessageQueue;
  readonly followUp?: MessageQueue;
  /** Messages that enter the transcript at the end of a turn without asking for an answer. */
  readonly asides?: MessageQueue;
  readonly signal?: AbortSignal;
  /** A system prompt for this run alone; gives way when `state.systemPrompt` changes meanwhile. */
  readonly systemPrompt?: string;
}

/** Everything that the parts of one run share. */
export interface AgentRun {
  readonly state: AgentState;
  readonly streamFunction: StreamFunction;
  readonly hooks: HookSource<AgentHooks>;
  readonly steering: MessageQueue;
  readonly followUp: MessageQueue;
  readonly asides: MessageQueue;
  readonly convertToLlm: ConvertToLlm;
  /** `convertToLlm` for `state.messages` itself, which only grows. */
  readonly convertTranscript: ConvertToLlm;
  readonly beforeRequest: BeforeRequest | undefined;
  readonly stopWhen: StopCondition | undefined;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly now: () => number;
  /** The system prompt in force. */
  readonly systemPrompt: () => string;
  /** What the run added to the transcript so far, in order. */
  readonly added: AgentMessage[];
}

/** A run with its defaults filled in, and the way to stop what it started when its consumer leaves. */
export function createRun(options: AgentLoopOptions): {
  readonly run: AgentRun;
  readonly abandon: () => void;
} {
  const left = new AbortController();
  const { state } = options;
  const basePrompt = state.systemPrompt;
  const run: AgentRun = {
    state,
    streamFunction: options.streamFunction,
    hooks: options.hooks ?? new HookRunner(agentHooks, { onFailure: () => undefined }),
    steering: options.steering ?? new MessageQueue(),
    followUp: options.followUp ?? new MessageQueue(),
    asides: options.asides ?? new MessageQueue("all"),
    convertToLlm: options.convertToLlm ?? convertToLlm,
    convertTranscript: options.convertToLlm ?? growingConversion(),
    beforeRequest: options.beforeRequest,
    stopWhen: options.stopWhen,
    sessionId: options.sessionId,
    signal: options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal,
    graceMs: options.abortGraceMs ?? DEFAULT_ABORT_GRACE_MS,
    now: options.now ?? Date.now,
    systemPrompt: () =>
      state.systemPrompt === basePrompt ? (options.systemPrompt ?? basePrompt) : state.systemPrompt,
    added: [],
  };
  return { run, abandon: () => left.abort() };
}
