import { loadavg } from "node:os";
import { Agent, type AgentMessage } from "@coppice/agent";
import { scriptedTool } from "@coppice/agent/testing";
import { type AssistantMessage, createMessageStream, type StreamFunction, ZERO_USAGE } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";

/**
 * What the loop itself costs per turn: an instant model that always calls an instant tool, in transcripts of two sizes.
 * Limits: 1 ms median at 10 messages, and at most 1.5 times that figure at 10,000.
 */
const TURNS_PER_RUN = 20;
const RUNS = 30;
const LIMIT_MS = 1;
const LIMIT_RATIO = 1.5;

// A fresh one for each run: a scripted tool remembers its calls.
const instantTool = () => scriptedTool("noop", { respond: "ok" });

function answer(n: number): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "toolCall", id: `call_${n}`, name: "noop", arguments: { n } }],
    api: "instant",
    provider: "instant",
    model: "instant",
    usage: ZERO_USAGE,
    stopReason: "toolUse",
    timestamp: 0,
  };
}

let calls = 0;
const instantModel: StreamFunction = () => {
  const message = answer(calls++);
  return createMessageStream({
    abort: () => undefined,
    onFailure: () => {
      throw new Error("The instant model does not fail.");
    },
    async *events() {
      yield { type: "start", message: { ...message, content: [] } };
      yield { type: "done", message };
    },
  });
};

function transcript(length: number): readonly AgentMessage[] {
  return Array.from({ length: length / 2 }, (_, index): AgentMessage[] => [
    { role: "user", content: `question ${index}`, timestamp: 0 },
    { ...answer(index), content: [{ type: "text", text: `answer ${index}` }], stopReason: "stop" },
  ]).flat();
}

/** Milliseconds of each turn of one run. */
async function timeTurns(messages: readonly AgentMessage[]): Promise<readonly number[]> {
  const agent = new Agent({
    streamFunction: instantModel,
    model: scriptedModel(),
    tools: [instantTool()],
    messages,
    stopWhen: ({ turnIndex }) => turnIndex + 1 >= TURNS_PER_RUN,
  });
  const times: number[] = [];
  let startedAt = 0;
  agent.subscribe((event) => {
    if (event.type === "turn_start") startedAt = performance.now();
    if (event.type === "turn_end") times.push(performance.now() - startedAt);
  });
  await agent.prompt("go");
  return times;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const sizes = [10, 10_000].map((length) => ({ messages: transcript(length), times: [] as number[] }));
// In turn, so that a drift of the machine's speed meets both sizes alike; the first round warms up.
for (let run = -1; run < RUNS; run++) {
  for (const { messages, times } of sizes) {
    const turns = await timeTurns(messages);
    if (run >= 0) times.push(...turns);
  }
}

const [small = 0, large = 0] = sizes.map(({ times }) => median(times));
const ratio = large / small;
console.table({
  "median ms per turn, 10 messages": { value: small.toFixed(3), limit: LIMIT_MS, ok: small <= LIMIT_MS },
  "median ms per turn, 10,000 messages": { value: large.toFixed(3), limit: "-", ok: "-" },
  ratio: { value: ratio.toFixed(2), limit: LIMIT_RATIO, ok: ratio <= LIMIT_RATIO },
});
console.log(`load: ${loadavg()[0]?.toFixed(1)}, turns: ${TURNS_PER_RUN * RUNS} a size`);
if (small > LIMIT_MS || ratio > LIMIT_RATIO) process.exitCode = 1;
