import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedText } from "@coppice/ai/testing";
import { JsonlRepo, MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import type { ExtensionApi } from "./extension.ts";
import { createScenario, type Scenario } from "./testing/scenario.ts";

/** An extension that notes each of its set-ups and ends, and hands its handle out. */
function noting(log: string[], handles: ExtensionApi[] = []) {
  return {
    name: "notes",
    setup(api: ExtensionApi) {
      const number = handles.push(api);
      log.push(`setup ${number}`);
      api.registerCommand("where", { description: "", handler: () => `${number}` });
      api.on("session_shutdown", ({ replacedBy }) => void log.push(`shutdown ${number} for ${replacedBy}`));
      api.onUnload(() => void log.push(`unload ${number}`));
    },
  };
}

const textsOf = (messages: readonly object[]) =>
  messages.map((message) => ("content" in message ? textOf(message.content as never) : ""));

test("another agent takes the place: old handles throw, and registrations belong to the new one", async () => {
  const log: string[] = [];
  const handles: ExtensionApi[] = [];
  const extensions = [noting(log, handles)];
  const repo = new MemoryRepo({ now: () => 0 });
  const old = await createScenario({ answers: ["one"], extensions });
  await old.agent.prompt("a");
  const session = await repo.create({ cwd: "/project" });
  const { agent, note, queued } = await old.agent.replace(async () => {
    const next = await createScenario({ answers: ["two"], extensions, session, repo });
    return { agent: next.agent, note: "mine" };
  });
  expect([note, queued, agent.session.id]).toEqual(["mine", [], session.id]);
  expect(log).toEqual(["setup 1", "setup 2", `shutdown 1 for ${session.id}`, "unload 1"]);
  expect(() => handles[0]?.setPromptSection("x", "y")).toThrow("was unloaded");
  expect(await agent.runCommand("where")).toBe("2");
  const refused = { code: "agent_replaced" };
  await expect(old.agent.prompt("b")).rejects.toMatchObject(refused);
  await expect(old.agent.compact()).rejects.toMatchObject(refused);
  await expect(old.agent.navigate(null)).rejects.toMatchObject(refused);
  await expect(old.agent.setModel(scriptedModel())).rejects.toMatchObject(refused);
  await expect(old.agent.setThinkingLevel("high")).rejects.toMatchObject(refused);
  await expect(old.agent.setActiveTools([])).rejects.toMatchObject(refused);
  await expect(old.agent.pin("never")).rejects.toMatchObject(refused);
  await expect(old.agent.replace(async () => ({ agent }))).rejects.toMatchObject(refused);
  expect(() => old.agent.steer("c")).toThrow("another one has taken the agent's place");
  await agent.prompt("d");
  expect(textsOf((await agent.getContext()).messages)).toEqual(["d", "two"]);
});

test("what runs is stopped once the other is ready, and what was queued comes back, also from a hook", async () => {
  const held = Promise.withResolvers<void>();
  const scenario: Scenario = await createScenario({
    answers: [
      {
        content: [scriptedText("first second")],
        pace: { chunkSize: 6, gate: (index) => (index === 1 ? new Promise(() => undefined) : undefined) },
      },
    ],
    extensions: [
      {
        name: "slow",
        setup: (api) =>
          api.on("input", async (input) => {
            if (input.text === "later") await held.promise;
          }),
      },
    ],
  });
  const streaming = Promise.withResolvers<void>();
  scenario.agent.subscribe((event) => {
    if (event.type === "message_update") streaming.resolve();
  });
  const running = scenario.agent.prompt("go");
  await streaming.promise;
  scenario.agent.steer("now");
  scenario.agent.followUp("later");
  const { queued } = await scenario.agent.replace(async () => {
    // Until the other is ready everything goes on, and nothing of it is lost.
    expect(scenario.agent.isBusy).toBe(true);
    scenario.agent.followUp("last");
    return createScenario({ answers: [] });
  });
  await running;
  held.resolve();
  expect(textsOf(queued)).toEqual(["now", "later", "last"]);
});

test("where the other cannot be opened everything stays as it is; meanwhile a second replacement is refused", async () => {
  const log: string[] = [];
  const { agent } = await createScenario({ answers: ["fine"], extensions: [noting(log)] });
  const failure = new Error("locked");
  const first = agent.replace(() => Promise.reject(failure));
  await expect(agent.replace(() => createScenario({ answers: [] }))).rejects.toMatchObject({
    code: "agent_busy",
    data: { operation: "replace" },
  });
  await expect(first).rejects.toBe(failure);
  await agent.prompt("a");
  expect(textsOf((await agent.getContext()).messages)).toEqual(["a", "fine"]);
  expect(log).toEqual(["setup 1"]);
});

test("a session that cannot be written is not left: the other agent goes, and its session is free", async () => {
  const { agent } = await createScenario({ answers: ["fine"] });
  await agent.prompt("a");
  agent.session.appendBatch = () => Promise.reject(new Error("disk full"));
  await agent.setThinkingLevel("high");
  await agent.prompt("b");
  const next = await createScenario({ answers: [] });
  await expect(agent.replace(async () => next)).rejects.toMatchObject({ code: "write_failed" });
  await expect(next.agent.prompt("c")).rejects.toMatchObject({ code: "agent_disposed" });
  expect(agent.isBusy).toBe(false);
});

test("where the agent before cannot end cleanly, the other one goes on all the same, and it is told", async () => {
  const scenario = await createScenario({ answers: ["one"] });
  await scenario.agent.prompt("a");
  scenario.agent.session.close = () => Promise.reject(new Error("disk full"));
  const { agent } = await scenario.agent.replace(() => createScenario({ answers: ["two"] }));
  await agent.prompt("b");
  expect(textsOf((await agent.getContext()).messages)).toEqual(["b", "two"]);
  expect(scenario.eventsOf("diagnostic")).toEqual([
    {
      type: "diagnostic",
      level: "error",
      message: "The session that was left could not be ended cleanly: disk full",
    },
  ]);
});

/** An agent whose `input` hook never lets go of a text with a "…", and resolves `reached` when it has one. */
async function createHesitant() {
  const reached = Promise.withResolvers<void>();
  const scenario = await createScenario({
    answers: [],
    extensions: [
      {
        name: "slow",
        setup: (api) =>
          api.on("input", async (input) => {
            if (!input.text.includes("…")) return undefined;
            reached.resolve();
            return new Promise<never>(() => undefined);
          }),
      },
    ],
  });
  return { ...scenario, reached: reached.promise };
}

test("a prompt that a hook still has comes back before what was queued after it, with its images", async () => {
  const { agent, model, reached } = await createHesitant();
  const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
  const prompt = agent.prompt("go…", { images: [image] });
  agent.steer("now");
  await reached;
  const { queued } = await agent.replace(() => createScenario({ answers: [] }));
  await prompt;
  expect(textsOf(queued)).toEqual(["go…", "now"]);
  expect(queued[0]).toMatchObject({ content: [{ type: "text", text: "go…" }, image] });
  expect(model.requests).toEqual([]);
});

test("a prompt that comes while what is pending is written comes back too", async () => {
  const { agent, reached } = await createHesitant();
  const append = agent.session.appendBatch.bind(agent.session);
  agent.session.appendBatch = () => Promise.reject(new Error("disk full"));
  await agent.prompt("a");
  let prompt: Promise<void> | undefined;
  agent.session.appendBatch = async (drafts) => {
    prompt ??= agent.prompt("late…");
    await reached;
    return append(drafts);
  };
  const { queued } = await agent.replace(() => createScenario({ answers: [] }));
  await prompt;
  expect(textsOf(queued)).toEqual(["late…"]);
});

test("where the session is not left, a prompt that a hook had is queued, and goes through the hook again", async () => {
  let isHeld = false;
  const reached = Promise.withResolvers<void>();
  const { agent, events } = await createScenario({
    answers: ["fine"],
    extensions: [
      {
        name: "slow",
        setup: (api) =>
          api.on("input", ({ text, images }) => {
            if (isHeld) reached.resolve();
            return isHeld ? new Promise<never>(() => undefined) : { text: `${text}!`, images };
          }),
      },
    ],
  });
  const append = agent.session.appendBatch;
  agent.session.appendBatch = () => Promise.reject(new Error("disk full"));
  await agent.prompt("a");
  isHeld = true;
  const prompt = agent.prompt("go");
  await reached.promise;
  isHeld = false;
  await expect(agent.replace(() => createScenario({ answers: [] }))).rejects.toMatchObject({
    code: "write_failed",
  });
  await prompt;
  expect(events.findLast(({ type }) => type === "queue_update")).toMatchObject({
    steering: [{ content: [{ type: "text" }] }],
  });
  agent.session.appendBatch = append;
  await agent.prompt("on");
  expect(textsOf((await agent.getContext()).messages)).toEqual(["a!", "", "on!", "go!", "fine"]);
});

test("SE-11, B027: a session whose directory is gone is forked to where its agent works, or to a place that is named", async () => {
  const root = await temporaryFolder("fork-gone-");
  const [gone, here, other] = ["gone", "here", "other"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const repo = new JsonlRepo({ directory: join(root, "sessions"), fsync: "off" });
  const session = await repo.create({ cwd: gone });
  const { agent } = await createScenario({ session, repo, cwd: here, answers: ["fine"] });
  await agent.prompt("a");
  const forks = [await agent.fork(), await agent.fork({ cwd: other })];
  expect(forks.map((fork) => fork.session.cwd)).toEqual([here, other]);
  const { agent: next } = await agent.replace(() =>
    createScenario({ session: forks[0]?.session as never, repo, cwd: here, answers: ["again"] }),
  );
  await next.prompt("b");
  expect(textsOf((await next.getContext()).messages)).toEqual(["a", "fine", "b", "again"]);
  expect(next.session.header.parentSession).toBe(session.path);
  await Promise.all([next.dispose(), forks[1]?.session.close()]);
});
