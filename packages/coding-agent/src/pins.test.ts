import { textOf } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";
import type { CompactionStrategy } from "@coppice/compaction";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import type { Extension } from "./extension.ts";
import { createScenario, type Scenario } from "./testing/scenario.ts";

const RULE = "Never touch the folder vendor/.";

async function conversation(...extensions: readonly Extension[]): Promise<Scenario> {
  return createScenario({
    extensions,
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: ({ messages }) => {
      const last = messages.at(-1);
      const isSummary = last !== undefined && /## Critical Context|<conversation>/.test(textOf(last.content));
      return isSummary ? goodSummary("Go on.") : "word ".repeat(3000);
    },
  });
}

test("a pin is told to the model at once and ends every summary word for word until it is taken back", async () => {
  const scenario = await conversation();
  const { agent, model } = scenario;
  const pin = await agent.pin(RULE);
  expect(agent.session.getLeafId()).toBe(null);
  expect(await agent.pins()).toEqual([{ id: pin.id, text: RULE, source: "user" }]);
  for (const text of ["one", "two", "three"]) await agent.prompt(text);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain(RULE);
  for (let round = 0; round < 2; round++) {
    const { summary } = await agent.compact();
    expect(summary.endsWith(`## Pinned\n- ${RULE}`)).toBe(true);
    for (const text of ["four", "five"]) await agent.prompt(text);
  }
  await agent.unpin(pin.id);
  expect(await agent.pins()).toEqual([]);
  expect((await agent.compact()).summary).not.toContain("## Pinned");
});

test("a pin made while a prompt runs enters behind the turn and is on disk after it", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  let pinned: Promise<unknown> | undefined;
  agent.subscribe((event) => {
    if (event.type === "message_start" && event.message.role === "assistant") pinned ??= agent.pin(RULE);
  });
  await agent.prompt("one");
  await pinned;
  const entries = await agent.session.getEntries();
  expect(entries.filter((entry) => isEntry(entry, "custom"))).toMatchObject([{ data: { text: RULE } }]);
  expect(entries.at(-1)).toMatchObject({ type: "custom_message", customType: "coppice.pin" });
});

test("an empty rule and an unknown id are refused", async () => {
  const { agent } = await conversation();
  await expect(agent.pin("  ")).rejects.toMatchObject({ code: "empty_pin" });
  await expect(agent.unpin("nope")).rejects.toMatchObject({ code: "unknown_pin" });
});

test("a checkpoint of others that holds no list of pins keeps no rule from being pinned", async () => {
  const { agent } = await conversation();
  await agent.prompt("one");
  const checkpoint = { pins: 7 } as never;
  const summary = "Foreign.";
  await agent.session.appendCompaction({ summary, firstKeptEntryId: "", tokensBefore: 1, checkpoint });
  await agent.pin(RULE);
  expect((await agent.pins()).map(({ text }) => text)).toEqual([RULE]);
});

/** A strategy that knows nothing of what later steps need. */
const strategy: CompactionStrategy = {
  name: "short",
  shrink: async ({ preparation }) => {
    if (preparation === undefined) return undefined;
    const { firstKeptEntryId, tokensBefore, retainedTail, fileOps } = preparation;
    const result = { summary: "Short.", firstKeptEntryId, tokensBefore, retainedTail, tokensAfter: 1 };
    const more = { details: fileOps, usage: undefined, shortenings: [], checkpoint: {}, isExtract: false };
    return { type: "compaction", result: { ...result, ...more } };
  },
};

test.each<{ name: string; extension: Extension }>([
  {
    name: "a hook",
    extension: {
      name: "own",
      setup: (api) => void api.on("session_before_compact", () => ({ compaction: { summary: "Mine." } })),
    },
  },
  {
    name: "onCompaction",
    extension: {
      name: "own",
      setup: () => {},
      onCompaction: () => ({ summary: "Mine.", keptMessages: [] }),
    },
  },
  {
    name: "a strategy",
    extension: { name: "own", setup: (api) => api.registerCompactionStrategy(strategy) },
  },
])("a rule ends the summary of $name as well, and goes on after it", async ({ extension }) => {
  const { agent } = await conversation(extension);
  await agent.prompt("zero");
  const pin = await agent.pin(RULE);
  for (let round = 0; round < 2; round++) {
    for (const text of ["one", "two", "three"]) await agent.prompt(text);
    expect((await agent.compact()).summary).toMatch(
      /^(Mine|Short)\.\n\n## Pinned\n- Never touch the folder vendor\/\.$/,
    );
    expect(await agent.pins()).toEqual([{ id: pin.id, text: RULE, source: "user" }]);
  }
  for (const text of ["one", "two", "three"]) await agent.prompt(text);
  const draft = await agent.draftCompaction();
  const edited = draft.summary.replace(/^\w+\./, "Edited.").replace(RULE, "Do as you like.");
  const { summary } = await agent.compact({ draft: { id: draft.id, summary: edited } });
  expect(summary).toBe(`Edited.\n\n## Pinned\n- ${RULE}`);
});

test.each<{ name: string; extensions: readonly Extension[] }>([
  { name: "the model", extensions: [] },
  {
    name: "a hook",
    extensions: [
      {
        name: "own",
        setup: (api) => void api.on("session_before_tree", () => ({ summary: { summary: "Left." } })),
      },
    ],
  },
])(
  "rules of a branch go on with its summary by $name, listed, until they are taken back",
  async ({ extensions }) => {
    const { agent } = await conversation(...extensions);
    await agent.prompt("zero");
    const root = agent.session.getLeafId();
    const pin = await agent.pin(RULE);
    await agent.prompt("one");
    await agent.navigate(root, { summarize: true });
    const summary = (await agent.session.getBranch()).find((entry) => isEntry(entry, "branch_summary"));
    expect(summary?.summary.endsWith(`## Pinned\n- ${RULE}`)).toBe(true);
    expect(await agent.pins()).toEqual([{ id: pin.id, text: RULE, source: "user" }]);
    for (const text of ["two", "three", "four"]) await agent.prompt(text);
    expect((await agent.compact()).summary.endsWith(`## Pinned\n- ${RULE}`)).toBe(true);
    await agent.unpin(pin.id);
    expect(await agent.pins()).toEqual([]);
  },
);

test("rules of a branch whose summary is brought are in force as well", async () => {
  const { agent } = await conversation();
  await agent.prompt("zero");
  const root = agent.session.getLeafId();
  const pin = await agent.pin(RULE);
  await agent.prompt("one");
  const left = agent.session.getLeafId() ?? "";
  await agent.navigate(root);
  expect(await agent.pins()).toEqual([]);
  const { entryId } = await agent.bringEntries({ branchOf: left });
  expect(await agent.session.getEntry(entryId)).toMatchObject({
    summary: expect.stringMatching(/## Pinned\n- Never touch the folder vendor\/\.$/),
  });
  expect(await agent.pins()).toEqual([{ id: pin.id, text: RULE, source: "user" }]);
  expect(await agent.bringEntries({ branchOf: left })).toMatchObject({ entryId, alreadyHere: true });
  expect(await agent.pins()).toHaveLength(1);
});
