import type { AnyAgentTool } from "@coppice/agent";
import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedError, scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import type { CompactionStrategy, Shortening, StrategyInput } from "@coppice/compaction";
import { isEntry } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createScenario } from "./testing/scenario.ts";

const KEY = `sk-ant-api03-${"aB3dE5fG7h".repeat(9)}AA`;

/** Its results are too short for the masking that is built in, and many of them fill a window. */
const measure: AnyAgentTool = {
  name: "measure",
  description: "Measures.",
  parameters: Type.Object({ at: Type.Number() }),
  execute: async (_id, { at }) => ({ content: [{ type: "text", text: `${at}: ${"value ".repeat(200)}` }] }),
};

const maskAll = ({ session }: StrategyInput): readonly Shortening[] =>
  (session.entries ?? []).flatMap(({ entry, messages }) => {
    const text = messages[0]?.role === "toolResult" ? textOf(messages[0].content) : "";
    return text.length < 1000 ? [] : [{ targetId: entry.id, text: `${text.split(":")[0]}: measured` }];
  });

const masking = (shorten: (input: StrategyInput) => readonly Shortening[]): CompactionStrategy => ({
  name: "measured",
  shrink: async (input) => {
    const shortenings = shorten(input);
    return shortenings.length === 0 ? undefined : { type: "mask", shortenings };
  },
});

/** A prompt that measures so many times, on a window of 16,000 tokens. */
async function measured(strategy: CompactionStrategy, times: number, refuses = (_: ChatRequest) => false) {
  let at = 0;
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 16_000, maxTokens: 1024 }),
    tools: [measure],
    extensions: [{ name: "measured", setup: (api) => api.registerCompactionStrategy(strategy) }],
    answers: (request) => {
      if (refuses(request)) return scriptedError({ code: "context_overflow" });
      return at++ < times ? scriptedToolCall("measure", { at }) : "measured all";
    },
  });
  await scenario.agent.prompt("Measure everything.");
  const entries = async (type: "context_edit" | "compaction") =>
    (await scenario.agent.session.getEntries()).filter((entry) => isEntry(entry, type));
  const results = async () =>
    (await scenario.agent.getContext()).messages.flatMap((message) =>
      message.role === "toolResult" ? [textOf(message.content)] : [],
    );
  return { ...scenario, entries, results };
}

test("a strategy that masks by hand writes the masks and nothing else, and they can be taken back", async () => {
  const { agent, entries, results, eventsOf } = await measured(masking(maskAll), 12);
  const whole = await results();
  const result = await agent.compact();
  const masked = (await results()).map((text) => text.split("\n\n"));
  expect(masked.map(([text]) => text)).toEqual(whole.map((_, index) => `${index + 1}: measured`));
  expect(masked.every(([, note]) => note?.startsWith("[Masked to free context:"))).toBe(true);
  expect([(await entries("context_edit")).length, await entries("compaction")]).toEqual([12, []]);
  expect(result).toMatchObject({ summary: "", usage: undefined, isExtract: false });
  expect(result.tokensAfter).toBeLessThan(result.tokensBefore / 2);
  expect(eventsOf("context_masked")).toMatchObject([{ entries: 12, tokensBefore: result.tokensBefore }]);
  expect(eventsOf("compaction_end")).toMatchObject([{ reason: "manual", result, aborted: false }]);
  await agent.undoCompaction();
  expect(await results()).toEqual(whole);
});

test("a strategy that masks keeps a long run below its trigger without a summary", async () => {
  const scenario = await measured(masking(maskAll), 120);
  expect(await scenario.entries("compaction")).toEqual([]);
  expect(scenario.eventsOf("context_masked").length).toBeGreaterThan(1);
  expect((await scenario.results()).length).toBe(120);
  expect(scenario.model.requests).toHaveLength(121);
  expect(scenario.eventsOf("diagnostic")).toEqual([]);
});

test("a request that was too long is sent again once a strategy has masked", async () => {
  let isRefused = false;
  const { model, entries, eventsOf } = await measured(masking(maskAll), 12, ({ messages }) => {
    const refuses = !isRefused && messages.length > 20;
    isRefused ||= refuses;
    return refuses;
  });
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("1: measured");
  expect(await entries("compaction")).toEqual([]);
  expect(eventsOf("compaction_end")).toMatchObject([{ reason: "overflow", aborted: false }]);
});

test("answers that call no tool can be masked as well, and taken back", async () => {
  const answers = masking(({ session }) =>
    (session.entries ?? []).flatMap(({ entry, messages }) =>
      messages[0]?.role === "assistant" && textOf(messages[0].content).startsWith("word")
        ? [{ targetId: entry.id, text: "words" }]
        : [],
    ),
  );
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    extensions: [{ name: "answers", setup: (api) => api.registerCompactionStrategy(answers) }],
    answers: () => "word ".repeat(3000),
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  const before = (await scenario.agent.getContext()).messages;
  await scenario.agent.compact();
  expect((await scenario.agent.getContext()).messages[1]).toMatchObject({
    role: "assistant",
    content: [{ type: "text", text: "words\n\n[Masked to free context: an old answer not shown whole.]" }],
  });
  await scenario.agent.undoCompaction();
  expect((await scenario.agent.getContext()).messages).toEqual(before);
});

test("a mask does not carry a key back into the context", async () => {
  const leaking = masking((input) => maskAll(input).map((mask) => ({ ...mask, text: `key ${KEY}` })));
  const { agent, results } = await measured(leaking, 12);
  await agent.compact();
  expect((await results()).join("\n")).not.toContain(KEY);
});

test("CO-20: masks of what a person said are refused, and the next rung acts", async () => {
  const wrong = masking(({ session }) => [{ targetId: session.path[0]?.id ?? "", text: "Measure nothing." }]);
  const { agent, entries, eventsOf } = await measured(wrong, 12);
  await agent.compact();
  expect(JSON.stringify((await agent.getContext()).messages)).not.toContain("Measure nothing.");
  expect(await entries("compaction")).toHaveLength(1);
  expect(eventsOf("context_masked")).toEqual([]);
  expect(eventsOf("diagnostic")[0]?.message).toMatch(
    /^The strategy "measured" is passed over: .* is no tool result or plain answer/,
  );
});

test("a strategy that throws is told of and passed over", async () => {
  const broken: CompactionStrategy = {
    name: "broken",
    shrink: async () => {
      throw new TypeError("list is undefined");
    },
  };
  const { agent, entries, eventsOf } = await measured(broken, 12);
  await agent.compact();
  expect(await entries("compaction")).toHaveLength(1);
  expect(eventsOf("diagnostic")[0]?.message).toBe('The strategy "broken" is passed over: list is undefined');
});

test("masks can be drafted; with a summary of a person they become a compaction", async () => {
  const { agent, entries, results } = await measured(masking(maskAll), 12);
  const draft = await agent.draftCompaction();
  expect(draft).toMatchObject({ summary: "", goes: [], shortened: 12 });
  expect((await results())[0]).toContain("value");
  await agent.compact({ draft: { id: draft.id } });
  expect((await results())[0]).toMatch(/^1: measured\n/);
  await agent.undoCompaction();
  const { id } = await agent.draftCompaction();
  await agent.compact({ draft: { id, summary: "## Goal\nMeasure." } });
  const [compaction] = await entries("compaction");
  expect(compaction).toMatchObject({ summary: expect.stringContaining("Measure."), fromHook: false });
});
