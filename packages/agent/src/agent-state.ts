import type { Model, ThinkingLevel } from "@coppice/ai";
import type { AgentEvent } from "./events.ts";
import type { AgentMessage } from "./messages.ts";
import type { AnyAgentTool } from "./tool.ts";

export interface AgentStateOptions {
  readonly model: Model;
  readonly systemPrompt?: string | undefined;
  readonly thinkingLevel?: ThinkingLevel | undefined;
  readonly tools?: readonly AnyAgentTool[] | undefined;
  readonly messages?: readonly AgentMessage[] | undefined;
}

/**
 * What a run works on. Read anew for every request: a changed tool, prompt or model counts from the next one.
 *
 * `messages` is the linear transcript, oldest first: replaced by assignment (copied), extended by `append`.
 */
export class AgentState {
  systemPrompt: string;
  model: Model;
  thinkingLevel: ThinkingLevel;
  tools: readonly AnyAgentTool[];
  /** True from the first moment of a run until it is settled. */
  isStreaming = false;
  /** The assistant message in progress. */
  streamMessage: AgentMessage | undefined;
  /** What went wrong in the last answer of the last run. */
  error: string | undefined;
  #messages: AgentMessage[];
  readonly #pendingToolCalls = new Set<string>();

  constructor(options: AgentStateOptions) {
    this.model = options.model;
    this.systemPrompt = options.systemPrompt ?? "";
    this.thinkingLevel = options.thinkingLevel ?? "off";
    this.tools = options.tools ?? [];
    this.#messages = [...(options.messages ?? [])];
  }

  get messages(): readonly AgentMessage[] {
    return this.#messages;
  }

  set messages(messages: readonly AgentMessage[]) {
    this.#messages = [...messages];
  }

  /** Ids of the calls that are being worked on. */
  get pendingToolCalls(): ReadonlySet<string> {
    return this.#pendingToolCalls;
  }

  append(message: AgentMessage): void {
    this.#messages.push(message);
  }

  /** Follows an event of the run, before listeners see it. */
  apply(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
      case "message_update":
        this.streamMessage = event.message.role === "assistant" ? event.message : undefined;
        break;
      case "message_end":
        this.streamMessage = undefined;
        if (event.message.role === "assistant") this.error = event.message.errorMessage;
        break;
      case "tool_execution_start":
        this.#pendingToolCalls.add(event.toolCallId);
        break;
      case "tool_execution_end":
        this.#pendingToolCalls.delete(event.toolCallId);
        break;
      default:
    }
  }

  /** Nothing in progress, nothing remembered of a failure. */
  settle(): void {
    this.isStreaming = false;
    this.streamMessage = undefined;
    this.#pendingToolCalls.clear();
  }
}
