import type { AnyAgentTool } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import type { Extension } from "./extension.ts";
import { createScenario } from "./testing/scenario.ts";

const echo: AnyAgentTool = {
  name: "echo",
  description: "Says it again.",
  parameters: Type.Object({ text: Type.String() }),
  async execute(_id, { text }) {
    return { content: [{ type: "text", text }] };
  },
};

/** A scenario with three long turns, enough for a compaction. */
async function longConversation(extension: Extension) {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: () => "word ".repeat(3000),
    extensions: [extension],
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  return scenario;
}

test("an extension adds a tool, a hook and a prompt section", async () => {
  const scenario = await createScenario({
    answers: [scriptedToolCall("echo", { text: "hello" }), "done"],
    extensions: [
      {
        name: "sample",
        setup(api) {
          api.registerTool(echo);
          api.setPromptSection("sample", "Be kind.");
          api.on("tool_result", ({ content }) => ({
            content: [...content, { type: "text", text: " (seen)" }],
          }));
        },
      },
    ],
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests[0]?.systemPrompt).toContain("<sample>\nBe kind.\n</sample>");
  const result = scenario.model.requests[1]?.messages.at(-1);
  expect(result?.role === "toolResult" && textOf(result.content)).toBe("hello (seen)");
});

test("an extension that fails to set up is reported and leaves nothing behind", async () => {
  const scenario = await createScenario({
    answers: ["fine"],
    extensions: [
      {
        name: "broken",
        setup(api) {
          api.registerTool(echo);
          throw new Error("no luck");
        },
      },
      { name: "good", setup: (api) => api.setPromptSection("good", "here") },
    ],
  });
  expect(scenario.eventsOf("diagnostic")).toEqual([
    {
      type: "diagnostic",
      level: "error",
      message: "Extension broken could not be set up and is left out: no luck",
    },
  ]);
  expect(scenario.agent.tools.all).toEqual([]);
  await scenario.agent.prompt("go");
  expect(scenario.model.requests[0]?.systemPrompt).toContain("<good>");
});

test("B229: a guard that throws blocks its call with a reason, and the run goes on", async () => {
  const scenario = await createScenario({
    tools: [echo],
    answers: [scriptedToolCall("echo", { text: "x" }), "went on"],
    extensions: [
      {
        name: "guard",
        setup: (api) =>
          api.on("tool_call", () => {
            throw new Error("broken guard");
          }),
      },
    ],
  });
  await scenario.agent.prompt("go");
  const result = scenario.model.requests[1]?.messages.at(-1);
  expect(result?.role === "toolResult" && [result.isError, textOf(result.content)]).toEqual([
    true,
    expect.stringContaining("guard"),
  ]);
});

test("B232: a listener that throws is reported and the agent goes idle", async () => {
  const scenario = await createScenario({ answers: ["fine"] });
  scenario.agent.subscribe((event) => {
    if (event.type === "agent_end") throw new Error("listener broke");
  });
  await scenario.agent.prompt("go");
  expect(scenario.agent.isBusy).toBe(false);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "A listener of agent_end failed: listener broke",
  ]);
});

test("B232: a listener that never returns is left behind after its limit", async () => {
  const scenario = await createScenario({ answers: ["fine"], sleep: async () => undefined });
  scenario.agent.subscribe((event) =>
    event.type === "agent_end" ? new Promise<void>(() => undefined) : undefined,
  );
  await scenario.agent.prompt("go");
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "A listener of agent_end failed: no answer within 10 s to agent_end",
  ]);
});

test("the input hook transforms what the user sent", async () => {
  const scenario = await createScenario({
    answers: ["fine"],
    extensions: [
      {
        name: "upper",
        setup: (api) => api.on("input", (input) => ({ ...input, text: input.text.toUpperCase() })),
      },
    ],
  });
  await scenario.agent.prompt("go");
  const message = scenario.model.requests[0]?.messages[0];
  expect(message?.role === "user" && textOf(message.content)).toBe("GO");
});

test("what an input hook leaves out of its answer stays as it was", async () => {
  const scenario = await createScenario({
    answers: ["fine"],
    extensions: [{ name: "shout", setup: (api) => api.on("input", ({ text }) => ({ text: `${text}!` })) }],
  });
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const image = { type: "image", data, mimeType: "image/png" } as const;
  await scenario.agent.prompt("go", { images: [image] });
  const [message] = (await scenario.agent.getContext()).messages;
  expect(message).toMatchObject({ role: "user", content: [{ type: "text", text: "go!" }, image] });
});

test("a system prompt that before_agent_start sets holds for the prompt and is not stored", async () => {
  const scenario = await createScenario({
    answers: ["one"],
    extensions: [
      {
        name: "prompt",
        setup: (api) => api.on("before_agent_start", () => ({ systemPrompt: "Only this." })),
      },
    ],
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests[0]?.systemPrompt).toBe("Only this.");
  expect(JSON.stringify(await scenario.agent.session.getEntries())).not.toContain("Only this.");
});

test("a message that before_agent_start adds is stored and sent", async () => {
  const scenario = await createScenario({
    answers: ["one"],
    extensions: [
      {
        name: "note",
        setup: (api) =>
          api.on("before_agent_start", ({ messages }) => ({
            messages: [
              { role: "custom", customType: "note", content: "mind the gap", display: true, timestamp: 1 },
              ...messages,
            ],
          })),
      },
    ],
  });
  await scenario.agent.prompt("go");
  expect(JSON.stringify(scenario.model.requests[0]?.messages)).toContain("mind the gap");
  const entries = await scenario.agent.session.getEntries();
  expect(entries.filter((entry) => entry.type === "custom_message")).toHaveLength(1);
});

test("session_before_compact cancels: the session is unchanged and the failure is told", async () => {
  const failures: string[] = [];
  const scenario = await longConversation({
    name: "no",
    setup(api) {
      api.on("session_before_compact", () => ({ cancel: true }));
      api.on("session_compact_failed", ({ errorMessage }) => void failures.push(errorMessage));
    },
  });
  const count = (await scenario.agent.session.getEntries()).length;
  await expect(scenario.agent.compact()).rejects.toMatchObject({ code: "compaction_cancelled" });
  expect((await scenario.agent.session.getEntries()).length).toBe(count);
  expect(failures).toEqual(["An extension cancelled the compaction."]);
  expect(scenario.eventsOf("compaction_end")).toMatchObject([{ result: undefined, aborted: false }]);
});

test("session_before_compact supplies: stored with fromHook and its details", async () => {
  const scenario = await longConversation({
    name: "own",
    setup: (api) =>
      api.on("session_before_compact", () => ({ compaction: { summary: "mine", details: { by: "own" } } })),
  });
  const requests = scenario.model.requests.length;
  await scenario.agent.compact();
  expect(scenario.model.requests.length).toBe(requests);
  const entry = (await scenario.agent.session.getEntries()).find(({ type }) => type === "compaction");
  expect(entry).toMatchObject({ summary: "mine", fromHook: true, details: { by: "own" } });
  expect((await scenario.agent.getContext()).messages[0]).toMatchObject({
    role: "compactionSummary",
    summary: "mine",
  });
});

test.each([
  { name: "an empty summary", compaction: { summary: "  " } },
  { name: "a boundary off the path", compaction: { summary: "s", firstKeptEntryId: "nowhere" } },
])("a supplied compaction with $name is refused", async ({ compaction }) => {
  const scenario = await longConversation({
    name: "bad",
    setup: (api) => api.on("session_before_compact", () => ({ compaction })),
  });
  await expect(scenario.agent.compact()).rejects.toMatchObject({ code: "invalid_compaction" });
});

test("onCompaction keeps exactly its messages, a call with its result, and falls through when it has no answer", async () => {
  let asked = 0;
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    tools: [echo],
    answers: [
      scriptedToolCall("echo", { text: "git" }),
      "word ".repeat(3000),
      "word ".repeat(3000),
      "word ".repeat(3000),
    ],
    extensions: [
      { name: "silent", onCompaction: () => void asked++ },
      {
        name: "git",
        onCompaction: ({ messages }) => ({
          summary: "about git",
          keptMessages: messages.filter(
            (message, index) => message.role === "toolResult" || index === messages.length - 1,
          ),
        }),
      },
    ],
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await scenario.agent.compact();
  const { messages } = await scenario.agent.getContext();
  expect(asked).toBe(1);
  expect(messages.map(({ role }) => role)).toEqual([
    "compactionSummary",
    "assistant",
    "toolResult",
    "assistant",
  ]);
});

test("onCompaction that keeps nothing leaves the summary alone", async () => {
  const scenario = await longConversation({
    name: "all",
    onCompaction: () => ({ summary: "all gone", keptMessages: [] }),
  });
  await scenario.agent.compact();
  expect((await scenario.agent.getContext()).messages.map(({ role }) => role)).toEqual(["compactionSummary"]);
});

test("session_before_tree cancels a navigation or supplies its summary", async () => {
  let cancel = true;
  const scenario = await createScenario({
    answers: ["one", "two"],
    extensions: [
      {
        name: "tree",
        setup: (api) =>
          api.on("session_before_tree", () => (cancel ? { cancel } : { summary: { summary: "left it" } })),
      },
    ],
  });
  await scenario.agent.prompt("a");
  await scenario.agent.prompt("b");
  const leaf = scenario.agent.session.getLeafId();
  await expect(scenario.agent.navigate(null)).rejects.toMatchObject({ code: "navigation_cancelled" });
  expect(scenario.agent.session.getLeafId()).toBe(leaf);
  cancel = false;
  const { summaryEntryId } = await scenario.agent.navigate(null);
  const entry = await scenario.agent.session.getEntry(summaryEntryId ?? "");
  expect(entry).toMatchObject({ type: "branch_summary", summary: "left it", fromHook: true, fromId: leaf });
});

test("session_start and session_shutdown come once each, and registrations go with the agent", async () => {
  const moments: string[] = [];
  const scenario = await createScenario({
    answers: [],
    extensions: [
      {
        name: "life",
        setup(api) {
          api.on("session_start", ({ cwd }) => void moments.push(`start ${cwd}`));
          api.on("session_shutdown", ({ cwd }) => void moments.push(`shutdown ${cwd}`));
          api.registerTool(echo);
        },
      },
    ],
  });
  expect(scenario.agent.tools.all).toEqual(["echo"]);
  await scenario.agent.dispose();
  await scenario.agent.dispose();
  expect(moments).toEqual(["start /project", "shutdown /project"]);
  expect(scenario.agent.tools.all).toEqual([]);
  expect((await scenario.agent.session.getEntries()).filter((entry) => isEntry(entry, "message"))).toEqual(
    [],
  );
});
