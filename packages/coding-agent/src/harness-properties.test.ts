import type { AnyAgentTool } from "@coppice/agent";
import { type ChatRequest, isCoppiceError, type Message, toolCallsOf } from "@coppice/ai";
import { type ScriptedReply, scriptedError, scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { estimateContextTokens } from "@coppice/compaction";
import fc from "fast-check";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createScenario } from "./testing/scenario.ts";

const WINDOW = 8_000;

type Answer =
  | { readonly kind: "text"; readonly words: number }
  | { readonly kind: "calls"; readonly count: number; readonly words: number }
  | { readonly kind: "overloaded" }
  | { readonly kind: "overflow" };

type Step =
  | { readonly kind: "prompt"; readonly words: number; readonly answers: readonly Answer[] }
  | { readonly kind: "compact" }
  | { readonly kind: "navigate"; readonly at: number; readonly summarize: boolean };

const words = (count: number) => "word ".repeat(count);

const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), words: fc.integer({ min: 1, max: 900 }) }),
  fc.record({
    kind: fc.constant("calls" as const),
    count: fc.integer({ min: 1, max: 3 }),
    words: fc.integer({ min: 1, max: 1200 }),
  }),
  fc.constant({ kind: "overloaded" as const }),
  fc.constant({ kind: "overflow" as const }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("prompt" as const),
      words: fc.integer({ min: 1, max: 900 }),
      answers: fc.array(answer, { maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "compact" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("navigate" as const), at: fc.nat(40), summarize: fc.boolean() }),
  },
);

const isSummaryRequest = (request: ChatRequest) =>
  JSON.stringify(request.messages.at(-1)?.content).includes("<conversation>");

/** The first place where a history breaks the rules of providers; undefined = none. */
function brokenAt(messages: readonly Message[]): string | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") {
      if (open.shift() !== message.toolCallId) return `result ${index} has no call before it`;
      continue;
    }
    if (open.length > 0) return `message ${index} comes before the results of a call`;
    if (message.role === "assistant") open = toolCallsOf(message).map(({ id }) => id);
  }
  if (open.length > 0) return "a call has no result";
  const last = messages.at(-1)?.role;
  return last === "user" || last === "toolResult" ? undefined : `the last message is ${last}`;
}

test("whatever happens, every request is a legal history that fits the window, and the agent ends idle", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const script: Answer[] = [];
      // Collected, since a throw inside the model would only be a failed answer.
      const faults: string[] = [];
      let resultWords = 1;
      const tool: AnyAgentTool = {
        name: "act",
        description: "Acts.",
        parameters: Type.Object({}),
        execute: async () => ({ content: [{ type: "text", text: words(resultWords) }] }),
      };
      const reply = (request: ChatRequest): ScriptedReply => {
        if (isSummaryRequest(request)) return "a summary without its shape";
        const broken = brokenAt(request.messages);
        if (broken !== undefined) faults.push(broken);
        const { messages, systemPrompt = "", tools = [] } = request;
        const estimate = estimateContextTokens({
          messages,
          systemPrompt,
          tools,
          usageValidFrom: messages.length,
        });
        if (estimate.tokens > WINDOW) faults.push(`${estimate.tokens} tokens were sent`);
        const next = script.shift() ?? { kind: "text", words: 3 };
        if (next.kind === "text") return words(next.words);
        if (next.kind === "overloaded") return scriptedError({ code: "overloaded" });
        if (next.kind === "overflow") return scriptedError({ code: "context_overflow" });
        resultWords = next.words;
        return Array.from({ length: next.count }, () => scriptedToolCall("act"));
      };
      const { agent } = await createScenario({
        model: scriptedModel({ contextWindow: WINDOW }),
        tools: [tool],
        answers: reply,
      });
      for (const current of steps) {
        const entries = await agent.session.getEntries();
        try {
          if (current.kind === "prompt") {
            script.splice(0, script.length, ...current.answers);
            await agent.prompt(words(current.words));
          } else if (current.kind === "compact") await agent.compact();
          else {
            const id = entries[current.at % Math.max(1, entries.length)]?.id ?? null;
            await agent.navigate(id, { summarize: current.summarize });
          }
        } catch (error) {
          // Refusals are fine; anything without a code is a fault.
          if (!isCoppiceError(error)) throw error;
        }
        expect(faults).toEqual([]);
        expect(agent.isBusy).toBe(false);
        const after = await agent.session.getEntries();
        expect(after.slice(0, entries.length)).toEqual(entries);
      }
    }),
    { numRuns: 60 },
  );
});
