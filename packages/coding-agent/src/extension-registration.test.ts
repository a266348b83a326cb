import type { AnyAgentTool } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedStream, scriptedToolCall } from "@coppice/ai/testing";
import { isEntry, MemoryRepo, type Session, type SessionRepo } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import type { Extension, ExtensionApi } from "./extension.ts";
import { createScenario } from "./testing/scenario.ts";

const tool: AnyAgentTool = {
  name: "echo",
  description: "Says it again.",
  parameters: Type.Object({}),
  async execute() {
    return { content: [{ type: "text", text: "echo" }] };
  },
};

const OTHER = scriptedModel({ id: "other", provider: "mine", api: "mine-api", contextWindow: 40_000 });

/** Registers one of everything and keeps its handle. */
function everything(): { readonly extension: Extension; api(): ExtensionApi } {
  let handle: ExtensionApi | undefined;
  const stream = scriptedStream(() => "from mine");
  return {
    extension: {
      name: "everything",
      setup(api) {
        handle = api;
        api.registerTool(tool);
        api.on("input", (input) => ({ ...input, text: `${input.text}!` }));
        api.setPromptSection("everything", "All of it.");
        api.registerCommand("hello", {
          description: "Greets.",
          handler: async (name, agent) => {
            await agent.prompt(`hello ${name}`);
            return `greeted ${name}`;
          },
        });
        api.registerProvider({ api: "mine-api", stream: (request) => stream(request) });
        api.registerModel(OTHER);
        api.registerEntryKind("note", ({ data }) => [
          { role: "user", content: [{ type: "text", text: `note: ${String(data)}` }], timestamp: 0 },
        ]);
        api.registerCompactionStrategy({ name: "mine", shrink: async () => undefined });
        api.registerStorage("mine", new MemoryRepo({ now: () => 0 }));
        api.expectTools("later_");
      },
    },
    api() {
      if (handle === undefined) throw new Error("It was not set up.");
      return handle;
    },
  };
}

test("an extension contributes a command, a provider with its model, an entry kind and a strategy", async () => {
  const { extension, api } = everything();
  const { agent, model } = await createScenario({ answers: () => "fine", extensions: [extension] });
  expect(await agent.runCommand("hello", " you ")).toBe("greeted you");
  expect(textOf(model.requests[0]?.messages.at(-1)?.content ?? "")).toBe("hello you!");
  await api().appendEntry("note", 7);
  await agent.prompt("next");
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("note: 7");
  const [other] = agent.extensionModels;
  if (other === undefined) throw new Error("There is no model.");
  await agent.setModel(other);
  await agent.prompt("there");
  const answer = (await agent.getContext()).messages.at(-1);
  expect(answer?.role === "assistant" && textOf(answer.content)).toBe("from mine");
  expect((await agent.session.getEntries()).filter((entry) => isEntry(entry, "custom"))).toHaveLength(1);
});

test("CX-11, CX-22: a reload takes out one of everything, and old handles throw", async () => {
  const { extension, api } = everything();
  const { agent, model } = await createScenario({ answers: () => "fine", extensions: [extension] });
  const old = api();
  await agent.reloadExtensions([{ name: "empty" }]);
  expect([agent.commands, agent.extensionModels, agent.tools.all, agent.extensionNames]).toEqual([
    [],
    [],
    [],
    ["empty"],
  ]);
  await agent.prompt("go");
  expect(model.requests[0]?.systemPrompt).not.toContain("<everything>");
  expect(textOf(model.requests[0]?.messages.at(-1)?.content ?? "")).toBe("go");
  await expect(agent.runCommand("hello")).rejects.toMatchObject({ code: "unknown_command" });
  expect(() => old.registerTool(tool)).toThrow("was unloaded");
  await expect(old.appendEntry("note")).rejects.toMatchObject({ code: "extension_unloaded" });
  await agent.reloadExtensions([extension]);
  expect(agent.commands.map(({ name }) => name)).toEqual(["hello"]);
  await agent.dispose();
  expect(() => api().registerTool(tool)).toThrow("was unloaded");
});

const breaks: readonly (readonly [string, (api: ExtensionApi) => void])[] = [
  [
    "setup itself",
    () => {
      throw new Error("no luck");
    },
  ],
  [
    "a tool without a schema",
    (api) => api.registerTool({ ...tool, name: "bad", parameters: undefined } as never),
  ],
  ["a tool without a name", (api) => api.registerTool({ ...tool, name: "" })],
  ["a command without a handler", (api) => api.registerCommand("x", { description: "" } as never)],
  [
    "a command with a blank in its name",
    (api) => api.registerCommand("x y", { description: "", handler: () => undefined }),
  ],
  ["a provider without a stream", (api) => api.registerProvider({ api: "x" } as never)],
  ["a model without an id", (api) => api.registerModel({ ...OTHER, id: "" })],
  [
    "a strategy without a name",
    (api) => api.registerCompactionStrategy({ name: "", shrink: async () => undefined }),
  ],
  ["an entry kind without a projector", (api) => api.registerEntryKind("a", undefined as never)],
  ["an unknown hook", (api) => api.on("tool_cal" as "tool_call", () => undefined)],
  ["a hook without a handler", (api) => api.on("tool_call", undefined as never)],
  ["a storage without a repository", (api) => api.registerStorage("x", {} as never)],
];

test.each(breaks)(
  "CX-09, CX-16: %s fails alone: nothing of that extension stays, the others work",
  async (_, breakIt) => {
    const scenario = await createScenario({
      answers: ["fine"],
      extensions: [
        {
          name: "broken",
          setup(api) {
            api.setPromptSection("broken", "x");
            api.registerCommand("half", { description: "", handler: () => undefined });
            breakIt(api);
          },
        },
        { name: "good", setup: (api) => api.setPromptSection("good", "y") },
      ],
    });
    await scenario.agent.prompt("go");
    const prompt = scenario.model.requests[0]?.systemPrompt ?? "";
    expect([prompt.includes("<broken>"), prompt.includes("<good>")]).toEqual([false, true]);
    expect([scenario.agent.commands, scenario.agent.tools.all, scenario.agent.extensionNames]).toEqual([
      [],
      [],
      ["good"],
    ]);
    expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Extension broken could not be set up and is left out: /),
    ]);
  },
);

test("CX-13: a second command of a name gets a number, and a failing command is reported and ends there", async () => {
  const greeter = (name: string): Extension => ({
    name,
    setup: (api) =>
      api.registerCommand("hi", {
        description: name,
        handler: () => {
          throw new Error("oops");
        },
      }),
  });
  const scenario = await createScenario({ answers: ["fine"], extensions: [greeter("a"), greeter("b")] });
  expect(scenario.agent.commands.map(({ name, owner }) => [name, owner])).toEqual([
    ["hi", "a"],
    ["hi:2", "b"],
  ]);
  expect(await scenario.agent.runCommand("hi:2")).toBe(undefined);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "The command hi:2 of the extension b failed: oops",
  ]);
  await scenario.agent.prompt("still there");
});

test("a setup that never ends is left behind after its time, with all that it registered", async () => {
  const scenario = await createScenario({
    answers: ["fine"],
    sleep: async () => undefined,
    extensions: [
      {
        name: "stuck",
        setup: (api) => {
          api.setPromptSection("stuck", "x");
          return new Promise<void>(() => undefined);
        },
      },
    ],
  });
  await scenario.agent.prompt("go");
  expect(scenario.model.requests[0]?.systemPrompt).not.toContain("<stuck>");
  expect(scenario.eventsOf("diagnostic")[0]?.message).toBe(
    "Extension stuck could not be set up and is left out: no answer within 10 s to its setup",
  );
});

test("CX-12: what is registered later counts from the next request", async () => {
  let late: ExtensionApi | undefined;
  const { agent, model } = await createScenario({
    answers: ["one", scriptedToolCall("echo"), "two"],
    extensions: [
      {
        name: "late",
        setup: (api) => {
          late = api;
        },
      },
    ],
  });
  await agent.prompt("go");
  late?.registerTool(tool);
  await agent.prompt("go");
  expect(model.requests.map(({ tools }) => tools?.length ?? 0)).toEqual([0, 1, 1]);
});

test("a strategy of an extension supplies the compaction, stored as its own", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    answers: () => "word ".repeat(3000),
    extensions: [
      {
        name: "short",
        setup: (api) =>
          api.registerCompactionStrategy({
            name: "short",
            async shrink({ preparation }) {
              if (preparation === undefined) return undefined;
              const { firstKeptEntryId, tokensBefore, retainedTail, checkpoint, fileOps } = preparation;
              return {
                type: "compaction",
                result: {
                  ...{ firstKeptEntryId, tokensBefore, retainedTail, checkpoint },
                  ...{ summary: "Short.", tokensAfter: 1, details: fileOps, usage: undefined },
                  ...{ shortenings: [], isExtract: false },
                },
              };
            },
          }),
      },
    ],
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  await scenario.agent.compact();
  const compaction = (await scenario.agent.session.getEntries()).find((entry) =>
    isEntry(entry, "compaction"),
  );
  expect(compaction).toMatchObject({ summary: "Short.", fromHook: true });
});

test("a session is kept in the storage of an extension, forks there, and outlives a reload", async () => {
  const { extension } = everything();
  const repos: SessionRepo[] = [];
  const scenario = await createScenario({
    answers: () => "fine",
    extensions: [extension],
    openSession: async (storages) => {
      const repo = storages.get("mine");
      if (repo === undefined) throw new Error("There is no such storage.");
      repos.push(repo);
      return { session: await repo.create({ cwd: "/project" }), repo };
    },
  });
  await scenario.agent.prompt("one");
  await scenario.agent.reloadExtensions([]);
  await scenario.agent.prompt("two");
  const { session } = await scenario.agent.fork();
  const listed: string[] = [];
  for await (const item of repos[0]?.list() ?? []) if ("id" in item) listed.push(item.id);
  expect(listed.toSorted()).toEqual([scenario.agent.session.id, session.id].toSorted());
});

test("an agent that cannot be made ends what its extensions started", async () => {
  const ended: string[] = [];
  const starts: Extension = {
    name: "starts",
    setup: (api) => api.onUnload(() => void ended.push("starts")),
  };
  const openSession = () => Promise.reject<{ session: Session }>(new Error("no disk"));
  await expect(createScenario({ answers: [], extensions: [starts], openSession })).rejects.toThrow("no disk");
  expect(ended).toEqual(["starts"]);
});

test("an extension that cannot end what it started is reported, and the others end as well", async () => {
  const ended: string[] = [];
  const scenario = await createScenario({
    answers: [],
    extensions: [
      {
        name: "stuck",
        setup(api) {
          api.onUnload(() => void ended.push("first"));
          api.onUnload(() => new Promise(() => {}));
          api.onUnload(() => {
            throw new Error("no luck");
          });
        },
      },
      { name: "good", setup: (api) => api.onUnload(() => void ended.push("good")) },
    ],
  });
  await scenario.agent.dispose();
  expect(ended.toSorted()).toEqual(["first", "good"]);
  expect(
    scenario
      .eventsOf("diagnostic")
      .map(({ message }) => message)
      .toSorted(),
  ).toEqual([
    "Extension stuck could not be ended cleanly: no answer within 2 s to its end",
    "Extension stuck could not be ended cleanly: no luck",
  ]);
});

test("CX-14: an extension asks the user through the agent's dialogs, also while the agent is being made", async () => {
  const answers: unknown[] = [];
  const asked: unknown[] = [];
  const replies = [true, "b", "not offered", "me"];
  await createScenario({
    answers: [],
    dialogs: async (request) => {
      asked.push(request);
      return replies[asked.length - 1];
    },
    extensions: [
      {
        name: "asks",
        setup: (api) =>
          api.on("session_start", async () => {
            answers.push(
              await api.ui.confirm("Sure?", { message: "really" }),
              await api.ui.select("Which?", ["a", "b"]),
              await api.ui.select("Which?", ["a", "b"]),
              await api.ui.input("Name?", { placeholder: "yours" }),
            );
          }),
      },
    ],
  });
  expect(answers).toEqual([true, "b", undefined, "me"]);
  expect(asked.slice(0, 2)).toEqual([
    { kind: "confirm", owner: "asks", title: "Sure?", message: "really" },
    { kind: "select", owner: "asks", title: "Which?", options: ["a", "b"] },
  ]);
});

test("CX-11: what an unloaded extension asks is refused, and its reports are too", async () => {
  const { extension, api } = everything();
  const dialogs = () => new Promise<never>(() => {});
  const { agent } = await createScenario({ answers: [], extensions: [extension], dialogs });
  const old = api();
  const open = old.ui.confirm("Still there?");
  await agent.reloadExtensions([]);
  expect(await open).toBe(false);
  await expect(old.ui.confirm("And now?")).rejects.toMatchObject({ code: "extension_unloaded" });
  await expect(old.report("hello")).rejects.toMatchObject({ code: "extension_unloaded" });
  expect(() => old.missingTools()).toThrow("was unloaded");
});

test("CX-13: of two extensions that claim the same names the first has them, and the other keeps the rest", async () => {
  const claims = (name: string): Extension => ({
    name,
    setup(api) {
      api.registerTool(tool);
      api.registerTool({ ...tool, name: `${name}_own` });
      api.registerModel(OTHER);
      api.registerProvider({ api: "mine-api", stream: scriptedStream([]) });
      api.registerEntryKind("note", () => []);
      api.registerStorage("mine", new MemoryRepo({ now: () => 0 }));
      api.registerCommand("hello", { description: name, handler: () => undefined });
    },
  });
  const scenario = await createScenario({ answers: [], extensions: [claims("first"), claims("second")] });
  expect(scenario.agent.extensionNames).toEqual(["first", "second"]);
  expect(scenario.agent.tools.all).toEqual(["echo", "first_own", "second_own"]);
  expect(scenario.agent.commands.map(({ name, owner }) => [name, owner])).toEqual([
    ["hello", "first"],
    ["hello:2", "second"],
  ]);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    'second: There is already a tool named "echo". This one is left out.',
    `second: There is already a model "${OTHER.provider}/${OTHER.id}". This one is left out.`,
    'second: There is already a provider for the API "mine-api". This one is left out.',
    'second: There is already an entry kind "note". This one is left out.',
    'second: There is already a storage "mine". This one is left out.',
  ]);
  await scenario.agent.reloadExtensions([claims("second")]);
  expect(scenario.agent.tools.all).toEqual(["echo", "second_own"]);
});

test("B238: a tool whose name providers refuse is left out alone, and its extension's others work", async () => {
  const names = ["admin.tools.list", "a/b", "x y", "fine-1_2", "x".repeat(65)];
  const scenario = await createScenario({
    answers: ["ok"],
    extensions: [
      {
        name: "many",
        setup: (api) => {
          for (const name of names) api.registerTool({ ...tool, name });
        },
      },
    ],
  });
  expect(scenario.agent.tools.all).toEqual(["fine-1_2"]);
  expect(scenario.eventsOf("diagnostic")).toHaveLength(4);
  expect(scenario.eventsOf("diagnostic")[0]?.message).toBe(
    'many: Providers refuse the tool name "admin.tools.list": it takes 1 to 64 letters, digits, "_" and "-". This one is left out.',
  );
});

test("CX-12: what is registered late is there at the next request, and can be taken out again", async () => {
  const { extension, api } = everything();
  const scenario = await createScenario({ answers: () => "ok", extensions: [extension] });
  await scenario.agent.prompt("one");
  const remove = api().registerTool({ ...tool, name: "late" });
  await scenario.agent.prompt("two");
  remove();
  remove();
  await scenario.agent.prompt("three");
  expect(scenario.model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
    ["echo"],
    ["echo", "late"],
    ["echo"],
  ]);
});

test("CX-10: an extension observes the moments of a run in order; one that throws is reported and skipped", async () => {
  const moments: string[] = [];
  const observes = (name: string, breaks = false): Extension => ({
    name,
    setup(api) {
      api.on("agent_start", () => void moments.push(`${name} agent_start`));
      api.on("turn_end", async ({ turnIndex }) => {
        moments.push(`${name} turn_end ${turnIndex}`);
        if (breaks) throw new Error("no luck");
      });
      api.on("tool_execution_end", ({ toolName }) => void moments.push(`${name} ran ${toolName}`));
      api.on("agent_end", () => void moments.push(`${name} agent_end`));
    },
  });
  const scenario = await createScenario({
    tools: [tool],
    answers: [scriptedToolCall("echo", {}), "done"],
    extensions: [observes("a"), observes("b", true), observes("c")],
  });
  await scenario.agent.prompt("go");
  expect(moments.filter((moment) => moment.startsWith("a "))).toEqual([
    "a agent_start",
    "a ran echo",
    "a turn_end 0",
    "a turn_end 1",
    "a agent_end",
  ]);
  expect(moments.slice(0, 3)).toEqual(["a agent_start", "b agent_start", "c agent_start"]);
  expect(moments.filter((moment) => moment.startsWith("c "))).toHaveLength(5);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "Extension b failed at turn_end and is skipped: no luck",
    "Extension b failed at turn_end and is skipped: no luck",
  ]);
  await scenario.agent.reloadExtensions([]);
  const count = moments.length;
  scenario.model.push("again");
  await scenario.agent.prompt("go");
  expect(moments).toHaveLength(count);
});

test("CX-23: what went wrong before there was a UI waits for it, also where an extension listens", async () => {
  const scenario = await createScenario({
    answers: [],
    extensions: [
      { name: "listens", setup: (api) => api.on("turn_end", () => undefined) },
      {
        name: "broken",
        setup: () => {
          throw new Error("no luck");
        },
      },
    ],
  });
  expect(scenario.eventsOf("diagnostic")).toHaveLength(1);
});
