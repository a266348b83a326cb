import type { ImageContent, Model, StreamFunction, ThinkingLevel } from "@coppice/ai";
import type { AgentEvent } from "./events.ts";
import type { ConvertToLlm } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";
import type { AnyAgentTool } from "./tool.ts";

// Temporary: the shape that agent.ts must have. Delete when agent.ts exports it.
export type QueueMode = "one-at-a-time" | "all";
export interface AgentOptions {
  readonly streamFunction: StreamFunction;
  readonly model: Model;
  readonly systemPrompt?: string;
  readonly thinkingLevel?: ThinkingLevel;
  readonly tools?: readonly AnyAgentTool[];
  readonly messages?: readonly AgentMessage[];
  readonly convertToLlm?: ConvertToLlm;
  readonly hooks?: unknown; // HookRunner<AgentHooks & …>
  readonly sessionId?: string;
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
  readonly now?: () => number;
}
export interface AgentShape {
  readonly state: {
    systemPrompt: string;
    model: Model;
    thinkingLevel: ThinkingLevel;
    tools: readonly AnyAgentTool[];
    messages: readonly AgentMessage[];
    isStreaming: boolean;
    streamMessage: AgentMessage | undefined;
    pendingToolCalls: ReadonlySet<string>;
    error: string | undefined;
  };
  prompt(
    input: string | AgentMessage | readonly AgentMessage[],
    images?: readonly ImageContent[],
  ): Promise<void>;
  continue(): Promise<void>;
  steer(message: AgentMessage): void;
  followUp(message: AgentMessage): void;
  clearQueues(): { steering: readonly AgentMessage[]; followUp: readonly AgentMessage[] };
  abort(reason?: unknown): void;
  waitForIdle(): Promise<void>;
  reset(): void;
  subscribe(listener: (event: AgentEvent, signal: AbortSignal) => void | Promise<void>): () => void;
}
