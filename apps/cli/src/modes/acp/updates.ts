import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent, AgentEventMap } from "@coppice/agent";
import type { StreamEvent, ToolResultMessage } from "@coppice/ai";
import type { HarnessEvent, HarnessEventMap } from "@coppice/coding-agent";
import { callFacts, changedLine, diffsOf, resultContent } from "./tool-call.ts";

/** What the editor said that it can show beyond the conversation itself. */
export interface ShownExtras {
  readonly notices: boolean;
  readonly compaction: boolean;
}

interface OpenCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Events of one agent → what its editor is told. Holds the calls that have been announced and not finished. */
export class Updates {
  readonly #cwd: string;
  readonly #extras: ShownExtras;
  readonly #open = new Map<string, OpenCall>();
  #compactions = 0;

  constructor(cwd: string, extras: ShownExtras) {
    this.#cwd = cwd;
    this.#extras = extras;
  }

  of(event: AgentEvent | HarnessEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "message_update":
        return this.#ofStream(event.event);
      case "message_end":
        return this.#ofMessage(event.message);
      case "tool_execution_start":
        return this.#started(event);
      case "tool_execution_update":
        return [callUpdate(event.toolCallId, { content: resultContent(event.partial.content) })];
      case "tool_execution_end":
        return this.#ended(event);
      case "agent_settled":
        return this.#failOpen();
      case "compaction_start":
        return this.#compaction({ status: "in_progress" });
      case "compaction_end":
        return this.#compactionEnd(event);
      case "auto_retry_start":
        return this.#notice("warning", "The model is asked again", event.errorMessage);
      case "diagnostic":
        return this.#notice(event.level, event.message);
      default:
        return [];
    }
  }

  #ofStream(event: StreamEvent): readonly SessionUpdate[] {
    if (event.type === "text_delta") return [chunk("agent_message_chunk", event.delta)];
    if (event.type === "thinking_delta") return [chunk("agent_thought_chunk", event.delta)];
    if (event.type !== "toolcall_end") return [];
    const { id, name, arguments: input } = event.block;
    return this.#announced(id, { name, input });
  }

  #announced(toolCallId: string, call: OpenCall): readonly SessionUpdate[] {
    const isKnown = this.#open.has(toolCallId);
    this.#open.set(toolCallId, call);
    const { name, input } = call;
    const content = diffsOf(name, input, this.#cwd);
    const facts = { ...callFacts(name, input, this.#cwd), ...(content.length > 0 ? { content } : {}) };
    return isKnown
      ? [callUpdate(toolCallId, facts)]
      : [{ sessionUpdate: "tool_call", toolCallId, status: "pending", ...facts }];
  }

  /** Hooks may have changed the input by now: what runs is told, not what was asked for. */
  #started({ toolCallId, toolName, args }: AgentEventMap["tool_execution_start"]): readonly SessionUpdate[] {
    return [
      ...this.#announced(toolCallId, { name: toolName, input: args }),
      callUpdate(toolCallId, { status: "in_progress" }),
    ];
  }

  #ended({ toolCallId, result, isError }: AgentEventMap["tool_execution_end"]): readonly SessionUpdate[] {
    const call = this.#open.get(toolCallId);
    this.#open.delete(toolCallId);
    const diffs = isError || call === undefined ? [] : diffsOf(call.name, call.input, this.#cwd);
    const line = changedLine(result.details);
    const [place] = call === undefined ? [] : callFacts(call.name, call.input, this.#cwd).locations;
    return [
      callUpdate(toolCallId, {
        status: isError ? "failed" : "completed",
        content: [...diffs, ...resultContent(result.content)],
        ...(line === undefined || place === undefined ? {} : { locations: [{ ...place, line }] }),
      }),
    ];
  }

  #ofMessage(message: AgentEventMap["message_end"]["message"]): readonly SessionUpdate[] {
    // A call that never ran, because it was refused or invalid, has a result and no execution.
    if (message.role === "toolResult" && this.#open.has(message.toolCallId)) return this.#answered(message);
    // The calls of an answer that failed never run.
    const isFailed =
      message.role === "assistant" && (message.stopReason === "error" || message.stopReason === "aborted");
    return isFailed ? this.#failOpen() : [];
  }

  #answered({ toolCallId, isError, content }: ToolResultMessage): readonly SessionUpdate[] {
    this.#open.delete(toolCallId);
    const status = isError ? "failed" : "completed";
    return [callUpdate(toolCallId, { status, content: resultContent(content) })];
  }

  #failOpen(): readonly SessionUpdate[] {
    const ids = [...this.#open.keys()];
    this.#open.clear();
    return ids.map((id) => callUpdate(id, { status: "failed" }));
  }

  #compaction(
    fields: Omit<
      Extract<SessionUpdate, { sessionUpdate: "compaction_update" }>,
      "sessionUpdate" | "compactionId"
    >,
  ): readonly SessionUpdate[] {
    if (!this.#extras.compaction) return [];
    if (fields.status === "in_progress") this.#compactions++;
    return [
      { sessionUpdate: "compaction_update", compactionId: `compaction-${this.#compactions}`, ...fields },
    ];
  }

  #compactionEnd(event: HarnessEventMap["compaction_end"]): readonly SessionUpdate[] {
    const { result, aborted, errorMessage } = event;
    if (result !== undefined) {
      const summary = [{ type: "text" as const, text: result.summary }];
      return this.#compaction({ status: "completed", summary });
    }
    if (aborted) return this.#compaction({ status: "cancelled" });
    return this.#compaction({
      status: "failed",
      ...(errorMessage === undefined ? {} : { error: errorMessage }),
    });
  }

  #notice(severity: string, title: string, description?: string): readonly SessionUpdate[] {
    if (!this.#extras.notices || title === "") return [];
    return [
      { sessionUpdate: "notice", severity, title, ...(description === undefined ? {} : { description }) },
    ];
  }
}

type ChunkName = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

/** A piece of text of a message. */
export function chunk(sessionUpdate: ChunkName, text: string): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text } };
}

type CallChange = Omit<
  Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>,
  "sessionUpdate" | "toolCallId"
>;

function callUpdate(toolCallId: string, fields: CallChange): SessionUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, ...fields };
}
