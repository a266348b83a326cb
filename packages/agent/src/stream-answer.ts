import { type AssistantMessage, assemble, type ChatRequest, isTerminal } from "@coppice/ai";
import type { AgentRun } from "./agent-run.ts";
import type { AgentEvent } from "./events.ts";
import { failedAnswer, isFailed, withoutCalls } from "./failed-answer.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import { endMessage, recordMessage } from "./record-message.ts";
import type { AnyAgentTool } from "./tool.ts";

export interface Answer {
  readonly message: AssistantMessage;
  readonly tools: readonly AnyAgentTool[];
}

/** One model call, recorded in the transcript. Never throws: whatever breaks becomes a failed answer. */
export async function* streamAnswer(run: AgentRun): AsyncGenerator<AgentEvent, Answer, void> {
  let prepared: PreparedRequest;
  try {
    run.signal.throwIfAborted();
    prepared = await prepareRequest(run);
    run.signal.throwIfAborted();
  } catch (error) {
    const message = failedAnswer(run, { error });
    yield* recordMessage(run, message);
    return { message, tools: [] };
  }
  const { message, started } = yield* receive(run, prepared.request);
  const answer = isFailed(message) ? withoutCalls(message) : message;
  if (!started) yield { type: "message_start", message: answer };
  yield endMessage(run, answer);
  return { message: answer, tools: prepared.tools };
}

async function* receive(
  run: AgentRun,
  request: ChatRequest,
): AsyncGenerator<AgentEvent, { message: AssistantMessage; started: boolean }, void> {
  let partial: AssistantMessage | undefined;
  let failure: unknown;
  try {
    for await (const event of run.streamFunction(request)) {
      if (isTerminal(event)) return { message: event.message, started: partial !== undefined };
      const started = partial !== undefined;
      partial = assemble(partial, event);
      if (partial === undefined) continue;
      if (started) yield { type: "message_update", message: partial, event };
      else yield { type: "message_start", message: partial };
    }
  } catch (error) {
    failure = error;
  }
  const message = failedAnswer(run, { error: failure, request, partial });
  return { message, started: partial !== undefined };
}
