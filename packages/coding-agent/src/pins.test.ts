import { textOf } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import { createScenario, type Scenario } from "./testing/scenario.ts";

const RULE = "Never touch the folder vendor/.";

async function conversation(): Promise<Scenario> {
  return createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: ({ messages }) => {
      const last = messages.at(-1);
      const isSummary = last !== undefined && textOf(last.content).includes("## Critical Context");
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
