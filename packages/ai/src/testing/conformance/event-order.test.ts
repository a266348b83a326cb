import { expect, test } from "vitest";
import type { StreamEvent } from "../../stream-event.ts";
import { scriptedToolCall } from "../scripted-answer.ts";
import { scriptedMessage } from "../scripted-message.ts";
import { scriptedModel } from "../scripted-model.ts";
import { createScriptedProvider } from "../scripted-provider.ts";
import { scriptedStream } from "../scripted-stream.ts";
import { providerConformance } from "./conformance.ts";
import { eventOrderProblem } from "./event-order.ts";

const base = scriptedMessage();
const block = { type: "text", text: "ab" } as const;
const start: StreamEvent = { type: "start", message: base };
const begin: StreamEvent = { type: "text_start", contentIndex: 0 };
const delta: StreamEvent = { type: "text_delta", contentIndex: 0, delta: "ab" };
const end: StreamEvent = { type: "text_end", contentIndex: 0, block };
const done: StreamEvent = { type: "done", message: { ...base, content: [block] } };
const error: StreamEvent = { type: "error", reason: "error", message: { ...base, stopReason: "error" } };

test.each<{ name: string; events: StreamEvent[]; problem: string | undefined }>([
  { name: "a legal stream", events: [start, begin, delta, end, done], problem: undefined },
  { name: "a failure at once", events: [error], problem: undefined },
  { name: "a failure within a block", events: [start, begin, delta, error], problem: undefined },
  { name: "nothing", events: [], problem: "no terminal event" },
  { name: "no end", events: [start, begin, delta, end], problem: "no terminal event" },
  { name: "two ends", events: [start, done, done], problem: "after the terminal one" },
  { name: "no start", events: [begin, delta, end, done], problem: "does not begin with `start`" },
  { name: "two starts", events: [start, start, done], problem: "second `start`" },
  { name: "a block twice", events: [start, begin, begin, done], problem: "block 0 starts twice" },
  { name: "a stray delta", events: [start, delta, done], problem: "belongs to no open text block" },
  { name: "a delta after its end", events: [start, begin, delta, end, delta, done], problem: "no open text" },
  { name: "an open block at the end", events: [start, begin, delta, done], problem: "block 0 never ends" },
  { name: "a lost delta", events: [start, begin, end, done], problem: "are not its text" },
  {
    name: "content that the events do not give",
    events: [start, begin, delta, end, { type: "done", message: base }],
    problem: "do not assemble",
  },
])("AI-30: $name", ({ events, problem }) => {
  if (problem === undefined) expect(eventOrderProblem(events)).toBeUndefined();
  else expect(eventOrderProblem(events)).toContain(problem);
});

test("the scripted model keeps the order too", async () => {
  const stream = scriptedStream([[block, scriptedToolCall("read", { path: "a" })]]);
  const events: StreamEvent[] = [];
  for await (const event of stream({ model: scriptedModel(), messages: [] })) events.push(event);
  expect(eventOrderProblem(events)).toBeUndefined();
});

test("a provider that talks to no server fails the suite", async () => {
  const provider = createScriptedProvider(() => "always the same", { api: "anthropic-messages" });
  const failed = await Promise.allSettled(providerConformance.map((each) => each.run({ provider })));
  const passed = failed.filter((outcome) => outcome.status === "fulfilled").length;
  expect(passed).toBeLessThan(providerConformance.length / 4);
});
