import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedText } from "@coppice/ai/testing";
import { JsonlRepo, MemoryRepo } from "@coppice/session";
import { expect, onTestFinished, test } from "vitest";
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

test("SE-11, B027: a session whose directory is gone is forked to where its agent works, or to a place that is named", async () => {
  const root = await mkdtemp(join(tmpdir(), "fork-gone-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
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
