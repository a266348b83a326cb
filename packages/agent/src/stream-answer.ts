import { type AssistantMessage, assemble, type ChatRequest, isTerminal, type StreamEvent } from "@coppice/ai";
import type { AgentRun } from "./agent-run.ts";
import type { AgentEvent } from "./events.ts";
import { failedAnswer, isFailed, withoutCalls } from "./failed-answer.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import { endMessage, recordMessage } from "./record-message.ts";
import type { AnyAgentTool } from "./tool.ts";
import { GAVE_UP, withGrace } from "./with-grace.ts";

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
    for await (const event of patiently(run, run.streamFunction(request))) {
      const started = partial !== undefined;
      if (isTerminal(event)) return { message: event.message, started };
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

/** The events of a stream, given up on when it ignores an abort for longer than the grace time. */
async function* patiently(
  run: AgentRun,
  stream: AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent, void, void> {
  const events = stream[Symbol.asyncIterator]();
  let open = true;
  try {
    while (true) {
      const next = await withGrace(events.next(), run);
      if (next === GAVE_UP) return;
      open = next.done !== true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // A stream that hangs does not answer this either, so nobody waits for it.
    if (open) events.return?.().catch(() => undefined);
  }
}
