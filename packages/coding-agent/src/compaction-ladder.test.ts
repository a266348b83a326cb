import type { AnyAgentTool } from "@coppice/agent";
import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedError, scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { ON_PREFIX_SUMMARIZATION_PROMPT } from "@coppice/compaction";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, MemoryRepo } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario } from "./testing/scenario.ts";

const FILE_CHARS = 6000;

/** Every file is `FILE_CHARS` long and unlike the others. */
const read: AnyAgentTool = {
  name: "read",
  description: "Reads a file.",
  parameters: Type.Object({ path: Type.String() }),
  async execute(_id, { path }) {
    const text = `// ${path}\n${"const value = compute();\n".repeat(FILE_CHARS / 25)}`;
    return { content: [{ type: "text", text }] };
  },
};

const lastText = (request: ChatRequest) => {
  const last = request.messages.at(-1);
  return last === undefined ? "" : textOf(last.content);
};
const isOnPrefix = (request: ChatRequest) => lastText(request).startsWith(ON_PREFIX_SUMMARIZATION_PROMPT);
const isSerialised = (request: ChatRequest) => lastText(request).startsWith("<conversation>");
const isSummary = (request: ChatRequest) => isOnPrefix(request) || isSerialised(request);

/** Answers with long text, so that three prompts fill a window of 40,000 tokens; summaries are good ones. */
const longAnswers = (request: ChatRequest) =>
  isSummary(request) ? goodSummary("Go on.") : "word ".repeat(3000);

test("the summary is asked for on the session's own request with one instruction behind it", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000, reasoning: true }),
    thinkingLevel: "high",
    tools: [read],
    answers: longAnswers,
    extensions: [
      {
        name: "prompt",
        setup: (api) =>
          api.on("before_agent_start", ({ systemPrompt }) => ({ systemPrompt: `${systemPrompt}\nBe kind.` })),
      },
    ],
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await scenario.agent.compact({ instructions: "the numbers" });
  const [before, summary] = scenario.model.requests.slice(-2);
  if (before === undefined || summary === undefined) throw new Error("A request is missing.");
  expect(summary.messages.slice(0, before.messages.length)).toEqual(before.messages);
  expect(summary.messages).toHaveLength(before.messages.length + 2);
  expect(lastText(summary)).toContain(ON_PREFIX_SUMMARIZATION_PROMPT);
  expect(lastText(summary)).toContain("the numbers");
  const head = ({ model, systemPrompt, tools, thinkingLevel, sessionId }: ChatRequest) =>
    JSON.stringify({ model, systemPrompt, tools, thinkingLevel, sessionId });
  expect(head(summary)).toBe(head(before));
  expect(summary.systemPrompt).toContain("Be kind.");
});

test("another summary model gets the conversation as text; a name that nobody knows is reported", async () => {
  const cheap = scriptedModel({ id: "cheap", provider: "other", contextWindow: 100_000 });
  const run = async (summaryModel: string) => {
    const scenario = await createScenario({
      model: scriptedModel({ contextWindow: 40_000 }),
      answers: longAnswers,
      tools: [read],
      compaction: { summaryModel },
      modelFor: (name) => (name === "other/cheap" ? cheap : undefined),
    });
    for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
    await scenario.agent.compact();
    return scenario;
  };
  const known = await run("other/cheap");
  const request = known.model.requests.at(-1);
  expect([request?.model.id, request?.tools, request && isSerialised(request)]).toEqual([
    "cheap",
    undefined,
    true,
  ]);
  const unknown = await run("other/none");
  expect(unknown.model.requests.at(-1)?.model.id).toBe(scriptedModel().id);
  expect(unknown.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    expect.stringContaining('There is no model "other/none" to write summaries'),
  ]);
});

test("120 reads of 6 KB on a 32k window: at most 12 compactions, masks as edits, the prompt always verbatim", async () => {
  const PROMPT = "Read all 120 files and tell me which ones never close their handles.";
  let reads = 0;
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 32_768, maxTokens: 2048 }),
    tools: [read],
    answers: (request) => {
      if (isSummary(request)) return goodSummary(`Read ${reads} files.`);
      if (reads === 120) return "all read";
      reads += 1;
      return scriptedToolCall("read", { path: `src/file-${reads}.ts` });
    },
  });
  await scenario.agent.prompt(PROMPT);
  const entries = await scenario.agent.session.getEntries();
  const compactions = entries.filter((entry) => isEntry(entry, "compaction"));
  expect(reads).toBe(120);
  expect(compactions.length).toBeLessThanOrEqual(12);
  expect(compactions.every(({ checkpoint }) => checkpoint !== undefined)).toBe(true);
  expect(scenario.eventsOf("context_masked").length).toBeGreaterThan(0);
  expect(entries.some((entry) => isEntry(entry, "context_edit"))).toBe(true);
  const requests = scenario.model.requests.filter((request) => !isSummary(request));
  expect(requests.every(({ messages }) => JSON.stringify(messages).includes(PROMPT))).toBe(true);
  expect(scenario.eventsOf("diagnostic")).toEqual([]);
});

test("a provider that always answers 'too long' gets three calls, and the limit it names becomes the window", async () => {
  let refuses = false;
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 200_000 }),
    tools: [read],
    answers: () =>
      refuses ? scriptedError({ code: "context_overflow", limitTokens: 16_000 }) : "word ".repeat(3000),
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  refuses = true;
  const before = scenario.model.requests.length;
  await scenario.agent.prompt("four");
  expect(scenario.model.requests.length - before).toBeLessThanOrEqual(3);
  expect((await scenario.agent.getContextUsage()).contextWindow).toBe(16_000);
  expect(scenario.agent.isBusy).toBe(false);
  expect(scenario.eventsOf("diagnostic").at(-1)?.message).toContain("still does not fit");
});

test("preserveSystemPrompt and preserveTools off: a compaction takes over the files and the configured tools of now", async () => {
  const environment = createMemoryEnvironment({ files: { "/project/AGENTS.md": "Old rule." } });
  const other: AnyAgentTool = { ...read, name: "other" };
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    environment,
    tools: [read, other],
    activeToolNames: ["read"],
    compaction: { preserveSystemPrompt: false, preserveTools: false },
    answers: longAnswers,
  });
  const { agent, model } = scenario;
  await agent.setActiveTools(["read", "other"]);
  for (const text of ["one", "two"]) await agent.prompt(text);
  environment.files.put("/project/AGENTS.md", new TextEncoder().encode("New rule."));
  await agent.prompt("three");
  expect(model.requests.at(-1)?.systemPrompt).toContain("Old rule.");
  await agent.compact();
  await agent.prompt("four");
  const request = model.requests.at(-1);
  expect(request?.systemPrompt).toContain("New rule.");
  expect(request?.tools?.map(({ name }) => name)).toEqual(["read"]);
  const { systemMessage, activeToolNames } = await agent.getContext();
  expect(JSON.stringify(systemMessage?.sections)).toContain("New rule.");
  expect(activeToolNames).toEqual(["read"]);
});

test("a compaction's checkpoint holds what continuing needs, the session's name included", async () => {
  const session = await new MemoryRepo({ now: () => 0 }).create({ cwd: "/project" });
  const scenario = await createScenario({
    session,
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: longAnswers,
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await session.appendSessionName("Numbers");
  await scenario.agent.compact();
  const compaction = (await session.getEntries()).find((entry) => isEntry(entry, "compaction"));
  expect(compaction).toMatchObject({
    checkpoint: { sessionName: "Numbers", model: { modelId: scriptedModel().id }, thinkingLevel: "off" },
    systemMessage: { role: "system" },
  });
});
