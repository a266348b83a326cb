import { type ScriptedBlock, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentMessage } from "../src/index.ts";
import { scriptedAgent, scriptedTool, unpairedCalls } from "../src/testing/index.ts";
import { createWireCheck, OVER_THE_WIRE_MS } from "./wire-check.ts";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

/** What a model may answer: text, calls of good, failing, sequential and unknown tools, invalid and cut calls, breaks. */
const block: fc.Arbitrary<ScriptedBlock> = fc.oneof(
  fc.constant(scriptedText("some words")),
  fc.constantFrom("open", "fail", "step", "unknown").map((name) => scriptedToolCall(name, { n: 1 })),
  fc.constant(scriptedToolCall("open", '{"broken')),
);
const answer = fc.record({
  content: fc.array(block, { maxLength: 4 }),
  ending: fc.constantFrom("normal" as const, "normal" as const, "length" as const, "error" as const),
});
/** What happens at the event with this number. */
const deed = fc.record({
  at: fc.nat(60),
  what: fc.constantFrom("steer" as const, "followUp" as const, "abort" as const, "aside" as const),
});
const scenario = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  deeds: fc.array(deed, { maxLength: 4 }),
  /** The order in which open calls end: each number picks one of those open. */
  picks: fc.array(fc.nat(10), { minLength: 12, maxLength: 12 }),
  steeringMode: fc.constantFrom("all" as const, "one-at-a-time" as const),
});

test(
  "AG-03, AG-06, B120: every call has exactly one result directly after its message, in order, nothing queued is lost, and all four wire formats accept what is left, whatever happens",
  async () => {
    await using wire = await createWireCheck(
      ["open", "fail", "step", "unknown"].map((name) => scriptedTool(name)),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ({ answers, deeds, picks, steeringMode }) => {
        const open = scriptedTool("open");
        const script = answers.map(({ content, ending }) => ({
          content,
          ...(ending === "length" ? { stopReason: "length" as const } : {}),
          ...(ending === "error" ? { error: { code: "overloaded" as const, afterDeltas: 2 } } : {}),
        }));
        const { agent, stream, seen } = scriptedAgent(
          [...script, ...Array.from({ length: 20 }, () => "end")],
          {
            steeringMode,
            tools: [
              open,
              scriptedTool("fail", {
                respond: () => {
                  throw new Error("down");
                },
              }),
              scriptedTool("step", { executionMode: "sequential", respond: "ok" }),
            ],
          },
        );
        let queued = 0;
        const asides: Promise<void>[] = [];
        let count = 0;
        agent.subscribe(() => {
          for (const { what } of deeds.filter((one) => one.at === count)) {
            if (what === "abort") agent.abort();
            else if (what === "aside") {
              asides.push(
                agent.add({
                  role: "custom",
                  customType: "x",
                  content: "aside",
                  display: false,
                  timestamp: 1,
                }),
              );
            } else {
              queued++;
              agent[what](user("queued"));
            }
          }
          count++;
        });
        const isFinished = new Set<string>();
        const finishOne = () => {
          const waiting = open.calls.filter((call) => !isFinished.has(call.id));
          const chosen = waiting[(picks[isFinished.size] ?? 0) % waiting.length];
          if (chosen === undefined) return;
          isFinished.add(chosen.id);
          chosen.finish("ok");
        };
        let isOver = false;
        const run = agent.prompt("go").finally(() => {
          isOver = true;
        });
        while (!isOver) {
          await new Promise((resolve) => setImmediate(resolve));
          finishOne();
        }
        await run;
        await Promise.all(asides);

        expect(unpairedCalls(agent.state.messages)).toEqual([]);
        for (const request of stream.requests) expect(unpairedCalls(request.messages)).toEqual([]);
        const delivered = agent.state.messages.filter(
          (message) => message.role === "user" && message.content === "queued",
        ).length;
        const { steering, followUp } = agent.queued;
        expect(delivered + steering.length + followUp.length).toBe(queued);
        expect(agent.state.messages.filter((message) => message.role === "custom").length).toBe(
          asides.length,
        );
        expect(seen.of("agent_settled").length).toBe(1);
        expect(seen.of("turn_start").length).toBe(seen.of("turn_end").length);
        expect(seen.of("tool_execution_start").length).toBe(seen.of("tool_execution_end").length);
        expect(agent.state.pendingToolCalls.size).toBe(0);
        expect(await wire.refusals(agent.state.messages)).toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(wire.accepted).toBeGreaterThan(200);
  },
  OVER_THE_WIRE_MS,
);
