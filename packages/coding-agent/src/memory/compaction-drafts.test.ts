import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "../testing/scenario.ts";

const RULE = "Never touch the folder vendor/.";
const isSummaryRequest = ({ messages }: ChatRequest) =>
  textOf(messages.at(-1)?.content ?? "").includes("## Critical Context");

const usage = { input: 9000, output: 500, cacheRead: 0, cacheWrite: 0 };

async function conversation(options: Partial<ScenarioOptions> = {}): Promise<Scenario> {
  const scenario = await createScenario({
    model: scriptedModel({
      contextWindow: 40_000,
      cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    }),
    compaction: { background: false },
    answers: (request) =>
      isSummaryRequest(request)
        ? { content: [{ type: "text", text: goodSummary("Go on.") }], usage }
        : "word ".repeat(3000),
    ...options,
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  return scenario;
}

/** What the next request would say, with one clock for what is not said yet. */
async function next({ agent }: Scenario): Promise<string> {
  const { request } = await agent.previewRequest();
  const { messages, systemPrompt, tools, thinkingLevel } = request;
  return JSON.stringify({ messages, systemPrompt, tools, thinkingLevel });
}

test("the outlook says what goes and stays with sizes and cost, asks no model and writes nothing", async () => {
  const { agent, model } = await conversation();
  const before = await agent.session.getEntries();
  const { preview, goes, stays } = await agent.previewCompaction();
  expect(model.requests).toHaveLength(3);
  expect(await agent.session.getEntries()).toEqual(before);
  const shown = (await agent.getContext()).entries.map(({ entry }) => entry.id);
  expect([...goes, ...stays].map(({ entryId }) => entryId)).toEqual(shown);
  expect(stays[0]?.entryId).toBe(preview.firstKeptEntryId);
  const sum = (entries: typeof goes) => entries.reduce((total, { tokens }) => total + tokens, 0);
  expect(sum(goes)).toBe(preview.goes.tokens);
  expect(sum(stays)).toBe(preview.stays.tokens);
  expect(preview.usage.cost.total).toBeGreaterThan(0);
});

test("a draft stores only what it cost; taken, it is the compaction, and its cost counts once", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  const context = await next(scenario);
  const draft = await agent.draftCompaction({ instructions: "Look at the tests." });
  expect(await next(scenario)).toBe(context);
  const paid = (await agent.getStats()).usage.cost.total;
  expect(draft.usage?.cost.total).toBeGreaterThan(0);
  const result = await agent.compact({ draft: { id: draft.id } });
  expect(result.summary).toBe(draft.summary);
  expect((await agent.getStats()).usage.cost.total).toBe(paid);
  expect((await agent.getStats()).compactions).toBe(1);
  expect(scenario.eventsOf("compaction_end")).toHaveLength(1);
});

test("an edited draft is stored with the words of the person and with the blocks of code", async () => {
  const { agent } = await conversation();
  await agent.pin(RULE);
  const { id } = await agent.draftCompaction();
  const { summary } = await agent.compact({ draft: { id, summary: "## Goal\nMine.\n\n## Pinned\n- gone" } });
  expect(summary).toContain("## Goal\nMine.");
  expect(summary.endsWith(`## Pinned\n- ${RULE}`)).toBe(true);
  expect(summary).not.toContain("- gone");
  const [entry] = (await agent.session.getEntries()).filter((one) => isEntry(one, "compaction"));
  expect(entry).toMatchObject({ summary, fromHook: false });
});

test("a draft that no longer fits and a summary that is none are refused; the session stays as it is", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  const old = await agent.draftCompaction();
  const draft = await agent.draftCompaction();
  const context = await next(scenario);
  await expect(agent.compact({ draft: { id: old.id } })).rejects.toMatchObject({ code: "draft_stale" });
  const blank = agent.compact({ draft: { id: draft.id, summary: "  " } });
  await expect(blank).rejects.toMatchObject({ code: "summary_rejected" });
  const huge = agent.compact({ draft: { id: draft.id, summary: "word ".repeat(40_000) } });
  await expect(huge).rejects.toMatchObject({ code: "summary_rejected" });
  expect(await next(scenario)).toBe(context);
  await agent.prompt("four");
  await expect(agent.compact({ draft: { id: draft.id } })).rejects.toMatchObject({ code: "draft_stale" });
});

test("undo restores the request byte for byte, redo the other, also after more turns and in another process", async () => {
  const directory = await temporaryFolder();
  const repo = new JsonlRepo({ directory, fsync: "off" });
  const session = await repo.create({ cwd: "/project" });
  const scenario = await conversation({ session });
  const { agent } = scenario;
  const whole = await next(scenario);
  await agent.compact();
  const compacted = await next(scenario);
  expect(compacted).not.toBe(whole);
  const { entryId, tokens, unmasked } = await agent.undoCompaction();
  expect(await next(scenario)).toBe(whole);
  expect(tokens).toBe((await agent.getContextUsage()).tokens);
  expect(scenario.eventsOf("compaction_undone")).toEqual([
    { type: "compaction_undone", entryId, tokens, unmasked },
  ]);
  expect((await agent.redoCompaction()).entryId).toBe(entryId);
  expect(await next(scenario)).toBe(compacted);

  await agent.prompt("four");
  await agent.undoCompaction();
  const undone = await next(scenario);
  expect(undone.startsWith(whole.slice(0, whole.indexOf('],"systemPrompt"')))).toBe(true);
  await agent.dispose();
  const again = await createScenario({
    session: await repo.open(session.id),
    model: agent.model,
    answers: [],
    compaction: { background: false },
  });
  expect(await next(again)).toBe(undone);
  await again.agent.redoCompaction();
  expect((await again.agent.getContext()).messages[0]).toMatchObject({ role: "compactionSummary" });
  await again.agent.undoCompaction();
  expect(await next(again)).toBe(undone);
  await again.agent.dispose();
});

test("undone above the trigger, automatic compaction rests until the context has grown", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  const compactions = () => scenario.eventsOf("compaction_end").length;
  for (let turn = 0; compactions() === 0 && turn < 20; turn++) await agent.prompt("more");
  expect(compactions()).toBe(1);
  await agent.undoCompaction();
  const { tokens, triggerTokens } = await agent.getContextUsage();
  expect(tokens).toBeGreaterThan(triggerTokens);
  await agent.prompt("x");
  expect(compactions()).toBe(1);
  for (let turn = 0; compactions() === 1 && turn < 5; turn++) await agent.prompt("more");
  expect(compactions()).toBe(2);
});

test("nothing to undo, nothing to redo, and not while a prompt runs", async () => {
  const { agent } = await conversation();
  await expect(agent.undoCompaction()).rejects.toMatchObject({ code: "nothing_to_undo" });
  await expect(agent.redoCompaction()).rejects.toMatchObject({ code: "nothing_to_redo" });
  const running = agent.prompt("four");
  await expect(agent.undoCompaction()).rejects.toMatchObject({ code: "agent_busy" });
  await running;
});

test("a command of the user enters through the queue of writes, behind the turn that runs", async () => {
  const { agent } = await conversation();
  const command = { command: "ls", output: "a\nb", exitCode: 0, cancelled: false, truncated: false };
  const message = { role: "bashExecution", ...command, timestamp: 1 } as const;
  await agent.addMessage(message);
  expect((await agent.getContext()).messages.at(-1)).toEqual(message);
  let added: Promise<void> | undefined;
  agent.subscribe((event) => {
    if (event.type === "message_start" && event.message.role === "assistant")
      added ??= agent.addMessage(message);
  });
  await agent.prompt("four");
  await added;
  const roles = (await agent.getContext()).messages.slice(-3).map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "bashExecution"]);
});
