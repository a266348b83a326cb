import { assemble } from "../assemble.ts";
import { failureEvent } from "../failure.ts";
import type { AssistantMessage } from "../message.ts";
import { createMessageStream, type MessageStream } from "../message-stream.ts";
import type { Provider, ProviderIo } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import type { ChatRequest } from "../request.ts";
import type { StreamEvent } from "../stream-event.ts";
import { ZERO_USAGE } from "../usage.ts";
import { createPrefixCache, type PrefixCache } from "./prefix-cache.ts";
import { createScript, type Script, type ScriptStep, type ScriptSteps } from "./script.ts";
import { type ScriptedAnswer, type ScriptedError, stopReasonOf } from "./scripted-answer.ts";
import { blockEvents, finishedContent, isDelta } from "./scripted-events.ts";
import { simulateUsage } from "./scripted-usage.ts";
import { untilAborted } from "./until-aborted.ts";

/** The answers of a scripted model: a queue of replies and functions of the request, or one function for all calls. */
export type ScriptedAnswers = ScriptSteps<ChatRequest>;

/** A provider that plays a script in process and keeps every request it was given. */
export interface ScriptedProvider extends Provider {
  /** Whole requests in the order of their calls. */
  readonly requests: readonly ChatRequest[];
  readonly remaining: number;
  push(...steps: readonly ScriptStep<ChatRequest>[]): void;
}

export interface ScriptedProviderOptions {
  readonly api?: string;
}

/**
 * A model without a server: each call takes the next answer of the script.
 *
 * Streams as a real provider does: deltas, usage, signatures, classified errors, abort at every step. An empty queue
 * ends the stream in an `error` that says "no more answers".
 */
export function createScriptedProvider(
  answers: ScriptedAnswers,
  options: ScriptedProviderOptions = {},
): ScriptedProvider {
  const requests: ChatRequest[] = [];
  const script = createScript<ChatRequest>(answers);
  const cache = createPrefixCache();
  return {
    api: options.api ?? "scripted",
    requests,
    push: (...steps) => script.push(...steps),
    get remaining() {
      return script.remaining;
    },
    stream(request, io) {
      requests.push(request);
      return play({ request, io, script, cache });
    },
  };
}

interface Play {
  readonly request: ChatRequest;
  readonly io: Pick<ProviderIo, "now">;
  readonly script: Script<ChatRequest>;
  readonly cache: PrefixCache;
}

function play({ request, io, script, cache }: Play): MessageStream {
  const controller = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
  // The step is taken now and not at the first read, so that parallel streams get answers in the order of their calls.
  const next = script.next(request);
  next.catch(() => undefined);
  let partial: AssistantMessage | undefined;
  return createMessageStream({
    abort: () => controller.abort(),
    onFailure: (error) =>
      failureEvent({ request, error, aborted: signal.aborted, now: io.now(), partial: visible(partial) }),
    async *events() {
      const { answer, callIndex } = await untilAborted(next, signal);
      for await (const event of answerEvents({ request, answer, callIndex, signal, cache, now: io.now() })) {
        partial = assemble(partial, event);
        yield event;
        signal.throwIfAborted();
      }
    },
  });
}

/** A broken answer keeps what arrived; a call that was still arriving is no call yet. */
function visible(partial: AssistantMessage | undefined): AssistantMessage | undefined {
  return partial && { ...partial, content: partial.content.filter((block) => block !== undefined) };
}

interface PlayAnswer {
  readonly request: ChatRequest;
  readonly answer: ScriptedAnswer;
  readonly callIndex: number;
  readonly signal: AbortSignal;
  readonly cache: PrefixCache;
  readonly now: number;
}

async function* answerEvents(play: PlayAnswer): AsyncGenerator<StreamEvent, void, void> {
  const { request, answer, callIndex, signal } = play;
  if (answer.error !== undefined && answer.error.afterDeltas === undefined) throw toError(answer.error);
  const usage = simulateUsage(request, answer, play.cache);
  const stopReason = stopReasonOf(answer);
  const base: AssistantMessage = {
    role: "assistant",
    content: [],
    api: request.model.api,
    provider: request.model.provider,
    model: request.model.id,
    responseId: `response_${callIndex + 1}`,
    usage: ZERO_USAGE,
    stopReason: "stop",
    ...(request.thinkingLevel === undefined ? {} : { thinkingLevel: request.thinkingLevel }),
    timestamp: play.now,
  };
  yield { type: "start", message: base };
  let deltas = 0;
  for (const event of blockEvents({ answer, callIndex })) {
    if (isDelta(event)) {
      if (answer.error?.afterDeltas === deltas) throw toError(answer.error);
      await untilAborted(Promise.resolve(answer.pace?.gate?.(deltas)), signal);
      deltas++;
    }
    yield event;
  }
  if (answer.error !== undefined) throw toError(answer.error);
  if (stopReason === "refusal") throw toError({ code: "content_filtered" });
  const content = finishedContent({ answer, callIndex });
  yield { type: "done", message: { ...base, content, usage, stopReason } };
}

function toError(error: ScriptedError): ProviderError {
  const { afterDeltas: _, message = `Scripted error: ${error.code}.`, ...rest } = error;
  return new ProviderError({ ...rest, message });
}
