import { readdir, readFile } from "node:fs/promises";
import type { AnyAgentTool } from "@coppice/agent";
import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedError, scriptedModel, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { type EntryDraft, isEntry, JsonlRepo, MemoryRepo, type Session } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createScenario, type Scenario } from "./testing/scenario.ts";

const isSummaryRequest = (request: ChatRequest) =>
  JSON.stringify(request.messages.at(-1)?.content).includes("<conversation>");

function tool(onRun: () => void | Promise<void>): AnyAgentTool {
  return {
    name: "act",
    description: "Acts.",
    parameters: Type.Object({}),
    async execute() {
      await onRun();
      return { content: [{ type: "text", text: "acted" }] };
    },
  };
}

/** The session with an `appendBatch` that fails while `isBroken` says so. */
function breakable(session: Session, isBroken: (drafts: readonly EntryDraft[]) => boolean): Session {
  return new Proxy(session, {
    get(target, key) {
      if (key === "appendBatch") {
        return async (drafts: readonly EntryDraft[]) => {
          if (isBroken(drafts)) throw new Error("disk full");
          return target.appendBatch(drafts);
        };
      }
      const value = Reflect.get(target, key, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const userTexts = (request: ChatRequest | undefined) =>
  (request?.messages ?? []).flatMap((message) => (message.role === "user" ? [textOf(message.content)] : []));

test("no tool runs and no request leaves when the session cannot be written; the message is written later", async () => {
  const stored = await new MemoryRepo().create({ cwd: "/project" });
  let broken = false;
  let runs = 0;
  const scenario = await createScenario({
    session: breakable(stored, () => broken),
    tools: [tool(() => void runs++)],
    answers: [
      () => {
        broken = true;
        return scriptedToolCall("act");
      },
      "after",
    ],
  });
  await scenario.agent.prompt("go");
  expect(runs).toBe(0);
  expect(scenario.model.requests).toHaveLength(1);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "1 session entry could not be written: disk full",
  ]);
  broken = false;
  await scenario.agent.prompt("again");
  const roles = (await scenario.agent.getContext()).messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "toolResult", "user", "assistant"]);
});

test("header and user message are in the file before the first request leaves", async () => {
  const directory = await temporaryFolder();
  const session = await new JsonlRepo({ directory, fsync: "off" }).create({ cwd: "/project" });
  let file = "";
  const scenario = await createScenario({
    session,
    answers: [
      async () => {
        file = await readFile(session.path ?? "", "utf8");
        return "hello";
      },
    ],
  });
  expect(await readdir(directory)).toEqual([]);
  await scenario.agent.prompt("hi");
  const lines = file
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toMatchObject({ type: "session", cwd: "/project" });
  expect(lines.at(-1)).toMatchObject({ type: "message", message: { role: "user" } });
  await scenario.agent.dispose();
});

test("policy turn: a request still holds messages that are not written yet", async () => {
  const scenario = await createScenario({
    flushPolicy: "turn",
    tools: [tool(() => undefined)],
    answers: [scriptedToolCall("act"), "done"],
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests.map((request) => request.messages.map(({ role }) => role))).toEqual([
    ["user"],
    ["user", "assistant", "toolResult"],
  ]);
  expect((await scenario.agent.getContext()).messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "assistant",
  ]);
});

test("AG-02, AG-03: steering enters after the open batch, a follow-up at the end, each once, and listeners see it", async () => {
  const scenario: Scenario = await createScenario({
    tools: [
      tool(() => {
        scenario.agent.followUp("F");
        scenario.agent.steer("S");
      }),
    ],
    answers: [scriptedToolCall("act"), "steered", "followed"],
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests.map(userTexts)).toEqual([["go"], ["go", "S"], ["go", "S", "F"]]);
  expect(
    scenario.eventsOf("queue_update").map(({ steering, followUp }) => [steering.length, followUp.length]),
  ).toEqual([
    [0, 1],
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
});

test("steer and followUp prompt when nothing runs", async () => {
  const scenario = await createScenario({ answers: ["one", "two"] });
  scenario.agent.steer("a");
  await scenario.agent.waitForIdle();
  scenario.agent.followUp("b");
  await scenario.agent.waitForIdle();
  expect(userTexts(scenario.model.requests[1])).toEqual(["a", "b"]);
});

test("AG-14: a prompt asked for when the agent has settled runs next", async () => {
  const scenario: Scenario = await createScenario({ answers: ["one", "two"] });
  const second = Promise.withResolvers<void>();
  const stop = scenario.agent.subscribe((event) => {
    if (event.type !== "agent_settled") return;
    stop();
    scenario.agent.prompt("b").then(second.resolve, second.reject);
  });
  await scenario.agent.prompt("a");
  await second.promise;
  expect(userTexts(scenario.model.requests[1])).toEqual(["a", "b"]);
});

test("AG-17: an abort while the run is only starting ends it without a request", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const scenario = await createScenario({
    answers: [],
    extensions: [
      {
        name: "slow",
        setup: (api) =>
          api.on("input", async () => {
            started.resolve();
            await release.promise;
          }),
      },
    ],
  });
  const prompt = scenario.agent.prompt("go");
  await started.promise;
  const aborted = scenario.agent.abort();
  release.resolve();
  await Promise.all([prompt, aborted]);
  expect(scenario.model.requests).toEqual([]);
  expect(await scenario.agent.session.getEntries()).toEqual([]);
});

test.each([1, 2])(
  "AG-17: an abort while a prompt reads the session for the %i. time ends it without a request",
  async (at) => {
    const { agent, model } = await createScenario({ answers: ["never"] });
    const build = agent.session.buildContext.bind(agent.session);
    let reads = 0;
    let aborted: Promise<void> | undefined;
    agent.session.buildContext = async (options) => {
      if (++reads === at) aborted = agent.abort();
      return build(options);
    };
    await agent.prompt("go");
    await aborted;
    expect([reads, model.requests]).toEqual([at, []]);
  },
);

test("B148: what an attempt streamed before it failed is no part of the next one, and its call never runs", async () => {
  let runs = 0;
  const scenario = await createScenario({
    tools: [tool(() => void runs++)],
    answers: [
      {
        content: [scriptedText("half an answer"), scriptedToolCall("act")],
        error: { code: "overloaded", afterDeltas: 2 },
      },
      "whole",
    ],
  });
  await scenario.agent.prompt("go");
  expect(runs).toBe(0);
  expect(JSON.stringify(scenario.model.requests[1]?.messages)).not.toContain("half");
  expect((await scenario.agent.getContext()).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("B050: a second compaction right after the first has nothing to do and writes nothing", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: (request) => (isSummaryRequest(request) ? "no summary shape" : "word ".repeat(3000)),
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await scenario.agent.compact();
  const count = (await scenario.agent.session.getEntries()).length;
  await expect(scenario.agent.compact()).rejects.toMatchObject({ code: "nothing_to_compact" });
  expect((await scenario.agent.session.getEntries()).length).toBe(count);
});

test("B052: where the model gives no summary the extract stands in, and the reason is told", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: (request) => (isSummaryRequest(request) ? scriptedToolCall("act") : "word ".repeat(3000)),
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  const result = await scenario.agent.compact();
  expect(result.isExtract).toBe(true);
  expect(scenario.eventsOf("diagnostic")[0]?.message).toMatch(/^No summary could be made \(.+\); an extract/);
});

test("B051: compactions that free almost nothing stop after two, with a message; by hand stays possible", async () => {
  const usage = { input: 12_500, output: 10, cacheRead: 0, cacheWrite: 0 };
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 16_000 }),
    answers: () => ({ content: [scriptedText("word ".repeat(400))], usage }),
    extensions: [
      {
        name: "wordy",
        setup: (api) =>
          api.on("session_before_compact", () => ({ compaction: { summary: "word ".repeat(10_400) } })),
      },
    ],
  });
  for (let turn = 0; turn < 7; turn++) await scenario.agent.prompt(`question ${turn}`);
  expect(scenario.eventsOf("compaction_start").map(({ reason }) => reason)).toEqual([
    "threshold",
    "threshold",
  ]);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Compaction leaves about \d+ tokens, above the trigger of 12000; automatic compaction rests\./,
    ),
  ]);
  expect(scenario.model.requests).toHaveLength(7);
  await scenario.agent.compact();
  expect(scenario.eventsOf("compaction_start").at(-1)).toEqual({
    type: "compaction_start",
    reason: "manual",
  });
});

test("an overflow that a compaction does not cure is reported once, without a loop", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: (request) => {
      if (isSummaryRequest(request)) return "no";
      return userTexts(request).includes("too much")
        ? scriptedError({ code: "context_overflow" })
        : "word ".repeat(3000);
    },
  });
  for (const text of ["one", "two", "too much"]) await scenario.agent.prompt(text);
  expect(scenario.eventsOf("compaction_start")).toHaveLength(1);
  expect(scenario.model.requests.filter((request) => userTexts(request).includes("too much"))).toHaveLength(
    2,
  );
  expect(scenario.eventsOf("diagnostic").at(-1)?.message).toContain("still does not fit");
  const last = (await scenario.agent.session.getEntries()).findLast((entry) => isEntry(entry, "message"));
  expect(last).toMatchObject({ message: { stopReason: "error", error: { code: "context_overflow" } } });
});

test("an aborted compaction leaves the session as it was", async () => {
  const scenario: Scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: (request) => {
      if (!isSummaryRequest(request)) return "word ".repeat(3000);
      void scenario.agent.abort();
      return { content: [scriptedText("late")], pace: { gate: () => new Promise(() => undefined) } };
    },
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  const count = (await scenario.agent.session.getEntries()).length;
  await expect(scenario.agent.compact()).rejects.toThrow();
  expect((await scenario.agent.session.getEntries()).length).toBe(count);
  expect(scenario.eventsOf("compaction_end")).toMatchObject([{ result: undefined, aborted: true }]);
});

test("maxMessages counts messages since the last compaction only", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 100_000 }),
    compaction: { maxMessages: 8, keepRecentTokens: 2000 },
    answers: (request) => (isSummaryRequest(request) ? "no" : "word ".repeat(800)),
  });
  const compactedBefore: number[] = [];
  for (let turn = 1; turn <= 12; turn++) {
    const before = scenario.eventsOf("compaction_end").length;
    await scenario.agent.prompt(`question ${turn}`);
    if (scenario.eventsOf("compaction_end").length > before) compactedBefore.push(turn);
  }
  expect(compactedBefore).toEqual([5, 10]);
});

test("settings that cannot work in the window are clamped with a diagnostic, wrong ones are refused", async () => {
  const model = scriptedModel({ contextWindow: 8192 });
  const scenario = await createScenario({ model, compaction: { reserveTokens: 8000 }, answers: [] });
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "compaction.reserveTokens 8000 is too much for a window of 8192; 4095 is used.",
  ]);
  await expect(
    createScenario({ model, compaction: { reserveTokens: -1 }, answers: [] }),
  ).rejects.toMatchObject({
    code: "invalid_settings",
  });
});
