import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { type AnyEntry, isEntry, JsonlRepo, MemoryRepo, type Session } from "@coppice/session";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { runTool } from "../testing/run-tool.ts";
import { createScenario, type Scenario } from "../testing/scenario.ts";
import { createRecallTool } from "../tools/recall/tool.ts";

const RULE = "Never touch the folder vendor/.";
const NEEDLE = "The staging port is 48117.";

const isSummaryRequest = ({ messages }: ChatRequest) =>
  /## Critical Context|<conversation>/.test(textOf(messages.at(-1)?.content ?? ""));

/** A conversation of long answers; `recall …` in a prompt makes the model call the tool with what follows. */
async function conversation(existing?: Session): Promise<Scenario> {
  const session = existing ?? (await new MemoryRepo().create({ cwd: "/project" }));
  return createScenario({
    session,
    tools: [createRecallTool({ session })],
    model: scriptedModel({ contextWindow: 40_000 }),
    compaction: { enabled: false },
    answers: (request) => {
      if (isSummaryRequest(request)) return goodSummary("Go on.");
      const last = request.messages.at(-1);
      const [, what] = /^recall (.*)$/.exec(last?.role === "user" ? textOf(last.content) : "") ?? [];
      if (what === undefined) return "word ".repeat(3000);
      const params = /^[0-9a-f]{16}$/.test(what) ? { handle: what } : { query: what };
      return { content: [scriptedToolCall("recall", params)], stopReason: "toolUse" };
    },
  });
}

/** Says a needle, has it compacted away, and returns its entry's id. */
async function hidden(scenario: Scenario): Promise<string> {
  await scenario.agent.prompt(NEEDLE);
  await compactAll(scenario);
  const path = await scenario.agent.session.getBranch();
  return path.find((entry) => JSON.stringify(entry).includes(NEEDLE))?.id ?? "";
}

/** Says so much that a compaction takes away what came before. */
async function compactAll({ agent }: Scenario): Promise<void> {
  for (const text of ["one", "two", "three"]) await agent.prompt(text);
  await agent.compact();
}

const isRecall = (entry: AnyEntry) =>
  isEntry(entry, "message") && entry.message.role === "toolResult" && entry.message.toolName === "recall";

const pinnedTexts = async ({ agent }: Scenario) => (await agent.pins()).map(({ text }) => text);

const pinEntries = async ({ agent }: Scenario) =>
  (await agent.session.getEntries()).filter((entry) => isEntry(entry, "custom"));

test("a rule that the user states is pinned behind the message, told once, and ends every summary", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  await agent.prompt(`Fix the build. ${RULE}`);
  const [pin] = await agent.pins();
  expect(pin).toMatchObject({ text: RULE, source: "detected" });
  expect(scenario.eventsOf("pins_detected")).toEqual([{ type: "pins_detected", pins: [pin] }]);
  const entries = await agent.session.getEntries();
  const at = entries.findIndex((entry) => isEntry(entry, "custom"));
  expect(entries[at - 1]).toMatchObject({ message: { role: "user" } });
  // Said again, it is the same rule.
  await agent.prompt(`Go on. ${RULE}`);
  await agent.prompt("And on.");
  expect(await pinEntries(scenario)).toHaveLength(1);
  for (let round = 0; round < 2; round++) {
    expect((await agent.compact()).summary.endsWith(`## Pinned\n- ${RULE}`)).toBe(true);
    for (const text of ["four", "five"]) await agent.prompt(text);
  }
  await agent.unpin(pin?.id ?? "");
  expect(await agent.pins()).toEqual([]);
});

test("a detected rule is no message: the model heard it from the user already", async () => {
  const scenario = await conversation();
  await scenario.agent.prompt(RULE);
  await scenario.agent.prompt("Go on.");
  const sent = JSON.stringify(scenario.model.requests.at(-1)?.messages);
  expect(sent.split("vendor/")).toHaveLength(2);
});

test("a rule said while a run works is pinned too, and one of the model is not", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  let steered = false;
  agent.subscribe((event) => {
    if (event.type !== "message_start" || event.message.role !== "assistant" || steered) return;
    steered = true;
    agent.steer(RULE);
  });
  await agent.prompt("Begin.");
  await agent.waitForIdle();
  expect((await agent.pins()).map(({ text }) => text)).toEqual([RULE]);
});

test("what is recalled twice is pinned as a quotation with its entry, once", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  await agent.prompt(NEEDLE);
  for (const text of ["one", "two", "three"]) await agent.prompt(text);
  await agent.compact();
  const first = (await agent.session.getEntries()).find((entry) => JSON.stringify(entry).includes(NEEDLE));
  await agent.prompt("recall staging port");
  expect(await agent.pins()).toEqual([]);
  await agent.prompt("recall staging port");
  const [pin, ...others] = await agent.pins();
  expect(others).toEqual([]);
  expect(pin).toEqual({
    id: `recalled-${first?.id}`,
    text: `Recalled twice, quoted from entry ${first?.id} (user): "${NEEDLE}"`,
    source: "detected",
  });
  await agent.prompt("recall staging port");
  expect(await pinEntries(scenario)).toHaveLength(1);
  for (const text of ["four", "five"]) await agent.prompt(text);
  expect((await agent.compact()).summary).toContain(NEEDLE);
});

test("the count of recalls goes on after a restart, and whole spans do not count", async () => {
  const scenario = await conversation();
  const { session } = scenario.agent;
  await scenario.agent.prompt(NEEDLE);
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await scenario.agent.compact();
  await scenario.agent.prompt("recall staging port");
  const answers = (handle: string) => [
    { content: [scriptedToolCall("recall", { handle })], stopReason: "toolUse" as const },
    "done",
  ];
  const entries = await session.getEntries();
  const needle = entries.find((entry) => JSON.stringify(entry).includes(NEEDLE))?.id ?? "";
  const span = `${needle}..${entries[entries.length - 1]?.id}`;
  const tools = [createRecallTool({ session })];
  const again = await createScenario({ session, tools, answers: [...answers(span), ...answers(needle)] });
  await again.agent.prompt("look");
  expect(await again.agent.pins()).toEqual([]);
  await again.agent.prompt("look closer");
  expect((await again.agent.pins()).map(({ id }) => id)).toEqual([`recalled-${needle}`]);
});

test("a recall counts that was compacted away, twice, by a process that is gone", async () => {
  const repo = new JsonlRepo({ directory: await temporaryFolder() });
  const first = await conversation(await repo.create({ cwd: "/project" }));
  const needle = await hidden(first);
  await first.agent.prompt(`recall ${needle}`);
  await compactAll(first);
  await compactAll(first);
  const path = first.agent.session.path ?? "";
  await first.agent.dispose();
  const again = await conversation(await repo.open(path));
  const { entries } = await again.agent.session.buildContext();
  expect(entries.some(({ entry }) => isRecall(entry))).toBe(false);
  expect(await again.agent.pins()).toEqual([]);
  await again.agent.prompt(`recall ${needle}`);
  expect(await pinnedTexts(again)).toEqual([expect.stringContaining(NEEDLE)]);
  await again.agent.dispose();
});

test("what a person unpinned takes two recalls anew, compactions and restarts aside", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  const needle = await hidden(scenario);
  for (let recalls = 0; recalls < 3; recalls++) await agent.prompt(`recall ${needle}`);
  const [pin] = await agent.pins();
  await agent.unpin(pin?.id ?? "");
  await compactAll(scenario);
  const again = await conversation(agent.session);
  await again.agent.prompt(`recall ${needle}`);
  expect(await pinnedTexts(again)).toEqual([]);
  await compactAll(again);
  await again.agent.prompt(`recall ${needle}`);
  expect(await pinnedTexts(again)).toEqual([expect.stringContaining(NEEDLE)]);
});

test("recalls of another branch do not count", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  const needle = await hidden(scenario);
  const fork = agent.session.getLeafId();
  await agent.prompt(`recall ${needle}`);
  await compactAll(scenario);
  const left = agent.session.getLeafId() ?? "";
  await agent.navigate(fork ?? "");
  await agent.prompt(`recall ${needle}`);
  expect(await agent.pins()).toEqual([]);
  await agent.navigate(left);
  await agent.prompt(`recall ${needle}`);
  expect(await pinnedTexts(scenario)).toEqual([expect.stringContaining(NEEDLE)]);
});

test("a recall counts once, whether the compaction that put it away is undone, redone or brought back as a copy", async () => {
  for (const turnSince of [false, true]) {
    const scenario = await conversation();
    const { agent } = scenario;
    const needle = await hidden(scenario);
    await agent.prompt(`recall ${needle}`);
    await compactAll(scenario);
    await agent.undoCompaction();
    if (turnSince) await agent.prompt("four");
    const again = await conversation(agent.session);
    await again.agent.redoCompaction();
    await again.agent.undoCompaction();
    await again.agent.redoCompaction();
    expect(await again.agent.pins()).toEqual([]);
    await again.agent.prompt(`recall ${needle}`);
    expect(await pinnedTexts(again)).toEqual([expect.stringContaining(NEEDLE)]);
  }
});

test("a recall before a compaction of another program counts", async () => {
  const scenario = await conversation();
  const { session } = scenario.agent;
  const needle = await hidden(scenario);
  await scenario.agent.prompt(`recall ${needle}`);
  await session.appendCompaction({ summary: "Foreign.", firstKeptEntryId: "", tokensBefore: 1 });
  const again = await conversation(session);
  await again.agent.prompt(`recall ${needle}`);
  expect(await pinnedTexts(again)).toEqual([expect.stringContaining(NEEDLE)]);
});

test("summaries name handles that recall understands, and only while the tool is active", async () => {
  const scenario = await conversation();
  const { agent } = scenario;
  for (const text of [NEEDLE, "two", "three", "four"]) await agent.prompt(text);
  const { summary } = await agent.compact();
  const handle = /^([0-9a-f]{16}\.\.[0-9a-f]{16}) /m.exec(summary)?.[1] ?? "";
  const tool = createRecallTool({ session: agent.session });
  const context = { toolCallId: "c", toolName: "recall", now: () => 0 };
  const result = await tool.execute("c", { handle }, new AbortController().signal, () => undefined, context);
  expect(textOf(result.content)).toContain(NEEDLE);
  await agent.setActiveTools([]);
  for (const text of ["five", "six", "seven"]) await agent.prompt(text);
  expect((await agent.compact()).summary).not.toContain("recall-handles");
});

test("the summary of a left branch names a handle that recall understands from the other one", async () => {
  const { agent } = await conversation();
  await agent.prompt("begin");
  const fork = agent.session.getLeafId();
  await agent.prompt(NEEDLE);
  await agent.navigate(fork, { summarize: true });
  const left = (await agent.session.getBranch()).find((entry) => isEntry(entry, "branch_summary"));
  const handle = /^([0-9a-f]{16}\.\.[0-9a-f]{16}) /m.exec(left?.summary ?? "")?.[1] ?? "";
  const { text } = await runTool(createRecallTool({ session: agent.session }), { handle });
  expect(text).toContain(NEEDLE);
});
