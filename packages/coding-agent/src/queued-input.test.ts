import type { AnyAgentTool } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import type { ExtensionApi } from "./extension.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "./testing/scenario.ts";

type InputHandler = (
  input: { readonly text: string; readonly images: readonly never[] },
  signal: AbortSignal,
) => unknown;

const act = (execute: () => void | Promise<void>): AnyAgentTool => ({
  name: "act",
  description: "",
  parameters: { type: "object" },
  execute: async () => {
    await execute();
    return { content: [] };
  },
});

/** A run whose one tool does something while the agent is busy, and an extension that hears what users say. */
function scenarioOf(
  hear: InputHandler,
  whileBusy: () => void | Promise<void>,
  options: Partial<ScenarioOptions> = {},
) {
  return createScenario({
    tools: [act(whileBusy)],
    extensions: [{ name: "ears", setup: (api: ExtensionApi) => api.on("input", hear as never) }],
    answers: [scriptedToolCall("act"), "done", "more", "and more"],
    ...options,
  });
}

function saidIn(scenario: Scenario, index = -1): readonly string[] {
  return (scenario.model.requests.at(index)?.messages ?? []).flatMap((message) =>
    message.role === "user" ? [textOf(message.content)] : [],
  );
}

test("CL-13: what is queued passes the input hook, once each, and in the order in which it was sent", async () => {
  const heard: string[] = [];
  const slow = Promise.withResolvers<void>();
  const scenario: Scenario = await scenarioOf(
    async ({ text, images }) => {
      heard.push(text);
      if (text === "A") await slow.promise;
      return { text: `<${text}>`, images };
    },
    () => {
      scenario.agent.steer("A");
      scenario.agent.steer("B");
      scenario.agent.followUp("C");
      slow.resolve();
    },
  );
  await scenario.agent.prompt("go");
  expect(heard).toEqual(["go", "A", "B", "C"]);
  expect(saidIn(scenario)).toEqual(["<go>", "<A>", "<B>", "<C>"]);
  expect(scenario.agent.clearQueue()).toEqual([]);
});

test("a run does not end before what was queued has passed the hook", async () => {
  const held = Promise.withResolvers<void>();
  const scenario: Scenario = await scenarioOf(
    async ({ text, images }) => {
      if (text === "late") await held.promise;
      return { text: text.toUpperCase(), images };
    },
    () => undefined,
    { answers: ["done", "late answer"] },
  );
  scenario.agent.subscribe((event) => {
    if (event.type === "agent_start" && scenario.model.requests.length === 0) scenario.agent.followUp("late");
    if (event.type === "agent_end") held.resolve();
  });
  await scenario.agent.prompt("go");
  expect(saidIn(scenario)).toEqual(["GO", "LATE"]);
});

test("what a hook leaves empty is not sent, and the user is told; the next message goes on", async () => {
  const scenario: Scenario = await scenarioOf(
    ({ text, images }) => ({ text: text === "secret" ? "" : text, images }),
    () => {
      scenario.agent.steer("secret");
      scenario.agent.steer("next");
    },
  );
  await scenario.agent.prompt("go");
  expect(saidIn(scenario)).toEqual(["go", "next"]);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "A queued message is not sent: The prompt is empty.",
  ]);
});

test("a hook that throws costs its change, not the message", async () => {
  const scenario: Scenario = await scenarioOf(
    ({ text, images }) => {
      if (text === "x") throw new Error("no");
      return { text, images };
    },
    () => scenario.agent.steer("x"),
  );
  await scenario.agent.prompt("go");
  expect(saidIn(scenario)).toEqual(["go", "x"]);
});

test("what is taken back while a hook has it comes back as it was sent, and is sent no more", async () => {
  const held = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  let taken: readonly unknown[] = [];
  const scenario: Scenario = await scenarioOf(
    async ({ text, images }, signal) => {
      if (text !== "keep" && text !== "go") {
        signals.push(signal);
        await held.promise;
      }
      return { text: `${text}!`, images };
    },
    async () => {
      scenario.agent.steer("one");
      scenario.agent.followUp("two");
      // The hook has the first of them by then.
      await Promise.resolve();
      taken = scenario.agent.clearQueue().map((message) => "content" in message && textOf(message.content));
      // One that hangs holds up nothing that comes later.
      scenario.agent.steer("keep");
    },
  );
  await scenario.agent.prompt("go");
  expect(taken).toEqual(["one", "two"]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  held.resolve();
  await scenario.agent.waitForIdle();
  expect(saidIn(scenario)).toEqual(["go!", "keep!"]);
  expect(scenario.eventsOf("queue_update").at(-1)).toMatchObject({ steering: [], followUp: [] });
});

test("an abort waits for no hook; what was on its way stays queued and goes with the next prompt", async () => {
  const held = Promise.withResolvers<void>();
  const scenario: Scenario = await scenarioOf(
    async ({ text, images }) => {
      if (text === "later") await held.promise;
      return { text: `${text}!`, images };
    },
    () => {
      scenario.agent.steer("later");
      void scenario.agent.abort();
    },
  );
  await scenario.agent.prompt("go");
  expect(scenario.agent.isBusy).toBe(false);
  expect(scenario.model.requests).toHaveLength(1);
  held.resolve();
  await scenario.agent.prompt("again");
  expect(saidIn(scenario)).toEqual(["go!", "again!", "later!"]);
});

test("B055: what is queued while the session moves passes the hook and is sent after it", async () => {
  const scenario: Scenario = await createScenario({
    answers: () => "fine",
    extensions: [
      {
        name: "ears",
        setup(api) {
          api.on("input", ({ text, images }) => ({ text: `${text}!`, images }));
          api.on("session_before_tree", () => scenario.agent.followUp("B"));
        },
      },
    ],
  });
  await scenario.agent.prompt("go");
  await scenario.agent.navigate(null);
  await scenario.agent.waitForIdle();
  expect(saidIn(scenario)).toEqual(["B!"]);
});
