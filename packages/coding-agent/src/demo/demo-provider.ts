import {
  type AssistantMessage,
  assemble,
  type ChatRequest,
  createMessageStream,
  failureEvent,
  type MessageStream,
  type Model,
  type Provider,
  ProviderError,
  type ProviderIo,
  type StreamEvent,
  usageWithCost,
} from "@coppice/ai";
import { ON_PREFIX_SUMMARIZATION_PROMPT } from "@coppice/compaction";
import { nextStep } from "./planner.ts";
import { type DemoStep, readTurn } from "./turn.ts";

/** The built-in offline model: fixed rules over the real tools. Free, and small enough that long sessions compact. */
export const DEMO_MODEL: Model = {
  id: "demo",
  name: "Coppice demo (offline, fixed rules)",
  api: "coppice-demo",
  provider: "coppice",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  contextWindow: 64_000,
  maxTokens: 8_000,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

const CHARACTERS_PER_TOKEN = 4;
const CHARACTERS_PER_DELTA = 48;

/** Provider of `DEMO_MODEL`: the same request always gives the same answer (ids and times aside). */
export function createDemoProvider(): Provider {
  return {
    api: DEMO_MODEL.api,
    stream(request: ChatRequest, io: ProviderIo): MessageStream {
      let partial: AssistantMessage | undefined;
      const controller = new AbortController();
      const aborted = () => controller.signal.aborted || request.signal?.aborted === true;
      return createMessageStream({
        abort: () => controller.abort(),
        onFailure: (error) => failureEvent({ request, error, aborted: aborted(), now: io.now(), partial }),
        async *events() {
          for (const event of answerEvents(request, io)) {
            if (aborted()) {
              yield failureEvent({ request, error: undefined, aborted: true, now: io.now(), partial });
              return;
            }
            partial = assemble(partial, event);
            yield event;
            // Lets readers, timers and an abort take their turn between deltas, as a network would.
            await Promise.resolve();
          }
        },
      });
    },
  };
}

function decide(request: ChatRequest): DemoStep {
  const toolNames = new Set((request.tools ?? []).map((tool) => tool.name));
  const turn = readTurn(request.messages, toolNames);
  if (!turn || isSummaryRequest(turn.prompt)) {
    throw new ProviderError({
      code: "bad_request",
      message:
        "The demo model follows fixed rules and cannot write this (a summary, or an answer without a prompt).",
      advice: "Connect a language model for summaries; without one an extract is used.",
    });
  }
  return nextStep(turn);
}

function isSummaryRequest(prompt: string): boolean {
  return prompt.includes("<conversation>") || prompt.includes(ON_PREFIX_SUMMARIZATION_PROMPT);
}

function* answerEvents(request: ChatRequest, io: ProviderIo): Generator<StreamEvent> {
  const step = decide(request);
  const text = step.kind === "answer" ? step.text : step.say;
  const calls = (step.kind === "call" ? step.calls : []).map((call) => ({
    type: "toolCall" as const,
    id: `demo_${io.newId()}`,
    ...call,
  }));
  const message: AssistantMessage = {
    role: "assistant",
    content: [{ type: "text", text }, ...calls],
    api: request.model.api,
    provider: request.model.provider,
    model: request.model.id,
    usage: estimatedUsage(request, text + JSON.stringify(calls)),
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    timestamp: io.now(),
  };
  yield { type: "start", message: { ...message, content: [], stopReason: "stop" } };
  yield { type: "text_start", contentIndex: 0 };
  for (const delta of text.match(new RegExp(`[\\s\\S]{1,${CHARACTERS_PER_DELTA}}`, "gu")) ?? []) {
    yield { type: "text_delta", contentIndex: 0, delta };
  }
  yield { type: "text_end", contentIndex: 0, block: { type: "text", text } };
  for (const [index, block] of calls.entries()) {
    const contentIndex = index + 1;
    yield { type: "toolcall_start", contentIndex, id: block.id, name: block.name };
    yield { type: "toolcall_delta", contentIndex, delta: JSON.stringify(block.arguments) };
    yield { type: "toolcall_end", contentIndex, block };
  }
  yield { type: "done", message };
}

/** No tokenizer is involved: four characters count as a token, on both sides. */
function estimatedUsage(request: ChatRequest, output: string): AssistantMessage["usage"] {
  const sent = JSON.stringify([request.systemPrompt, request.tools, request.messages.map((m) => m.content)]);
  return usageWithCost(
    {
      input: Math.ceil(sent.length / CHARACTERS_PER_TOKEN),
      output: Math.ceil(output.length / CHARACTERS_PER_TOKEN),
      cacheRead: 0,
      cacheWrite: 0,
    },
    request.model,
  );
}
