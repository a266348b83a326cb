import { getEventListeners } from "node:events";
import { scriptedText, scriptedThinking, scriptedToolCall } from "@coppice/ai/testing";
import { describe, expect, test } from "vitest";
import { Agent, type AgentMessage } from "../src/index.ts";
import { collectEvents, scriptedAgent, scriptedTool, unpairedCalls } from "../src/testing/index.ts";
import { createWire, createWireCheck, OVER_THE_WIRE_MS, WIRE_APIS } from "./wire-check.ts";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });
const calls = ["a", "b", "c"].map((id) => scriptedToolCall("work", { id }, id));
const openTimers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
const tools = () => [scriptedTool("work", { respond: "ok", obeysAbort: false })];

/** The whole life of a run: every line at which it can be cut. */
const script = () => [[scriptedThinking("hm"), scriptedText("let me"), ...calls], "done"];
async function linesOfWholeRun(): Promise<readonly string[]> {
  const { agent, seen } = scriptedAgent(script(), { tools: tools() });
  await agent.prompt("go");
  return seen.lines();
}

describe("cancel matrix", () => {
  test(
    "AG-06, B117: an abort at any event ends the run once, asks for nothing more, leaves no handle, and a transcript that all four wire formats accept",
    async () => {
      await using wire = await createWireCheck(tools());
      const before = openTimers();
      const whole = await linesOfWholeRun();
      expect(whole.length).toBeGreaterThan(40);
      const left: { readonly where: string; readonly messages: readonly AgentMessage[] }[] = [];
      for (const [cut, line] of whole.entries()) {
        const { agent, seen, stream } = scriptedAgent([...script(), "recovered"], { tools: tools() });
        let count = 0;
        let requestsAtAbort = -1;
        let signal: AbortSignal | undefined;
        const stop = agent.subscribe((_event, runSignal) => {
          signal = runSignal;
          if (count++ !== cut) return;
          requestsAtAbort = stream.requests.length;
          agent.abort();
        });
        await agent.prompt("go");
        stop();
        const where = `abort at ${cut}: ${line}`;
        expect([where, seen.of("agent_end").length]).toEqual([where, 1]);
        expect([where, seen.of("agent_settled").length]).toEqual([where, 1]);
        expect([where, unpairedCalls(agent.state.messages)]).toEqual([where, []]);
        expect([where, stream.requests.length]).toEqual([where, requestsAtAbort]);
        expect([where, seen.of("turn_start").length]).toEqual([where, seen.of("turn_end").length]);
        expect([where, agent.state.isStreaming, agent.state.pendingToolCalls.size]).toEqual([
          where,
          false,
          0,
        ]);
        expect([where, signal && getEventListeners(signal, "abort").length]).toEqual([where, 0]);
        left.push({ where, messages: agent.state.messages.slice() });
        await agent.prompt("and now");
        expect([where, unpairedCalls(stream.requests.at(-1)?.messages ?? [])]).toEqual([where, []]);
      }
      // The test runner's own may end meanwhile; a leak would leave one for every cut.
      expect(openTimers()).toBeLessThanOrEqual(before);
      for (const { where, messages } of left) {
        expect([where, await wire.refusals(messages)]).toEqual([where, []]);
      }
      expect(wire.accepted).toBeGreaterThan(12 * WIRE_APIS.length);
    },
    OVER_THE_WIRE_MS,
  );

  test("an abort before the run has begun: no request, the prompt is kept, the next one is answered", async () => {
    await using wire = await createWireCheck([]);
    const { agent, stream, seen } = scriptedAgent(["answered"]);
    const run = agent.prompt("go");
    agent.abort();
    await run;
    expect(stream.requests).toEqual([]);
    expect(seen.of("agent_settled")).toEqual([{ type: "agent_settled", aborted: true }]);
    expect(agent.state.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(await wire.refusals(agent.state.messages)).toEqual([]);
    await agent.prompt("and now");
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "stop" });
  });

  test("AG-03: what is queued right before and right after an abort, at any event, is in the transcript or in the queue, once", async () => {
    for (const cut of (await linesOfWholeRun()).keys()) {
      const { agent } = scriptedAgent([...script(), "more", "more", "more"], { tools: tools() });
      let count = 0;
      const stop = agent.subscribe(() => {
        if (count++ !== cut) return;
        agent.steer(user("s before"));
        agent.followUp(user("f before"));
        agent.abort();
        agent.steer(user("s after"));
        agent.followUp(user("f after"));
      });
      await agent.prompt("go");
      stop();
      const { steering, followUp } = agent.clearQueues();
      const found = [...agent.state.messages, ...steering, ...followUp].flatMap((message) =>
        message.role === "user" && message.content !== "go" ? [message.content] : [],
      );
      expect([cut, found.toSorted()]).toEqual([cut, ["f after", "f before", "s after", "s before"]]);
      expect([cut, steering.length, followUp.length]).toEqual([cut, 2, 2]);
    }
  });
});

test.each(WIRE_APIS)(
  "B117, B121: over %s itself, an abort at any event leaves a conversation that goes on, with nothing refused",
  async (api) => {
    const { server, streamFunction } = await createWire(({ turns }) => {
      const last = turns.at(-1);
      if (last?.role === "tool") return "done";
      return last?.text === "go" ? [scriptedThinking("hm"), scriptedText("let me"), ...calls] : "recovered";
    });
    await using _closed = server;
    const run = async (cut: number) => {
      const agent = new Agent({
        streamFunction,
        model: server.model(api),
        thinkingLevel: "medium",
        tools: tools(),
      });
      const seen = collectEvents(agent);
      const stop = agent.subscribe(() => {
        if (seen.events.length - 1 === cut) agent.abort();
      });
      await agent.prompt("go");
      stop();
      return { agent, lines: seen.lines() };
    };
    const whole = (await run(-1)).lines;
    expect(whole).toContain("message_update thinking_delta");
    for (const [cut, line] of whole.entries()) {
      // Deltas of one block are alike: the first and the last of a kind stand for those between.
      if (whole.indexOf(line) !== cut && whole.lastIndexOf(line) !== cut) continue;
      const { agent } = await run(cut);
      const where = `abort at ${cut}: ${line}`;
      expect([where, unpairedCalls(agent.state.messages)]).toEqual([where, []]);
      await agent.prompt("and now");
      expect([where, agent.state.messages.at(-1)]).toMatchObject([
        where,
        { stopReason: "stop", content: [{ text: "recovered" }] },
      ]);
      expect([where, server.rejections]).toEqual([where, []]);
    }
  },
  OVER_THE_WIRE_MS,
);
