import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { JsonlRepo } from "@coppice/session";
import { expect, test, vi } from "vitest";
import { createMcpScenario, sampleProcess, textOfFile, until } from "./mcp-scenario.ts";
import { DOT_PNG } from "./sample-server.ts";

// Real processes, which take seconds to start on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const required = { ...sampleProcess(), required: true };
const toolsOf = (names: readonly string[]) => names.filter((name) => name.startsWith("mcp__"));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("the tools of a process are called through the agent, with text, images and errors", async () => {
  const { call, agent } = await createMcpScenario({ servers: { sample: required } });
  const echoed = await call("mcp__sample__echo", { text: "hello" });
  expect([echoed.isError, echoed.content]).toEqual([false, [{ type: "text", text: "hello" }]]);
  expect((await call("mcp__sample__picture")).content).toEqual([
    { type: "text", text: "a dot:" },
    { type: "image", data: DOT_PNG, mimeType: "image/png" },
  ]);
  const failed = await call("mcp__sample__fails");
  expect([failed.isError, textOf(failed.content)]).toEqual([true, "no luck"]);
  const thrown = await call("mcp__sample__throws");
  expect([thrown.isError, textOf(thrown.content)]).toEqual([true, expect.stringContaining("broken inside")]);
  expect(await agent.runCommand("mcp")).toBe("sample: ready, 15 tools");
});

test("B241: a schema with definitions is passed on, checked before the call, and understood", async () => {
  const { call, model } = await createMcpScenario({ servers: { sample: required } });
  expect(textOf((await call("mcp__sample__refs", { point: { x: 4 } })).content)).toBe("4");
  const refused = await call("mcp__sample__refs", { point: { x: "four" } });
  expect(refused.isError).toBe(true);
  const sent = model.requests[0]?.tools?.find(({ name }) => name === "mcp__sample__refs");
  expect(sent?.parameters).toMatchObject({ $defs: { point: { required: ["x"] } } });
});

test("MC-01: tools whose names differ only in what providers refuse are both there and are not mixed up", async () => {
  const { call, agent } = await createMcpScenario({ servers: { sample: required } });
  await agent.waitForIdle();
  expect(textOf((await call("mcp__sample__read-file")).content)).toBe("read-file");
  expect(textOf((await call("mcp__sample__read_file")).content)).toBe("read_file");
  const dotted = agent.tools.all.find((name) => /^mcp__sample__read_file_[0-9a-f]{8}$/.test(name)) ?? "none";
  expect(textOf((await call(dotted)).content)).toBe("read.file");
});

test("a long answer is cut, and says so", async () => {
  const { call } = await createMcpScenario({ servers: { sample: required } });
  const text = textOf((await call("mcp__sample__big", { bytes: 1_000_000 })).content);
  expect(text.length).toBeLessThan(52_000);
  expect(text).toMatch(/\[Cut: .* more\. Ask the tool for less, or for another part\.\]$/);
});

test("a server sees only the few variables that it needs and those that its configuration gives", async () => {
  const { call } = await createMcpScenario({
    servers: { sample: { ...required, env: { TOKEN: "Bearer $SECRET_TOKEN", PLAIN: "x" } } },
  });
  const names = JSON.parse(textOf((await call("mcp__sample__env")).content));
  expect(names.filter((name: string) => !name.startsWith("_"))).toEqual(["HOME", "PATH", "PLAIN", "TOKEN"]);
});

test("MC-02: a server that never answers holds up neither the start nor a prompt nor the end", async () => {
  // Whoever waited for it would wait longer than this test may take.
  const silent = { ...sampleProcess("silent"), connectTimeoutMs: 600_000 };
  const scenario = await createMcpScenario({ servers: { silent, sample: required } });
  scenario.model.push("hi", "hi again");
  await scenario.agent.prompt("hello");
  await scenario.agent.prompt("hello");
  expect(await scenario.agent.runCommand("mcp")).toBe("silent: connecting\nsample: ready, 15 tools");
  await scenario.agent.dispose();
});

test("MC-02: a prompt waits for a server that is required, up to its limit, and says what is wrong", async () => {
  const scenario = await createMcpScenario({
    servers: { silent: { ...sampleProcess("silent"), required: true, connectTimeoutMs: 300 } },
    mcp: { sleep: async () => new Promise(() => {}) },
  });
  scenario.model.push("hi");
  await scenario.agent.prompt("hello");
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    "mcp: The server silent did not start and is tried again: it was not ready within 0.3 s",
  ]);
});

test("one dead server is reported, in words without its terminal tricks, and the others work", async () => {
  const scenario = await createMcpScenario({
    servers: {
      missing: { command: "/no/such/program" },
      unset: { ...sampleProcess(), env: { TOKEN: "$NOT_SET" } },
      odd: { command: "x", url: "http://localhost" },
      off: { ...sampleProcess(), enabled: false },
      sample: required,
    },
  });
  const { call, agent, eventsOf, folder } = scenario;
  expect(textOf((await call("mcp__sample__echo", { text: "works" })).content)).toBe("works");
  await until(() => eventsOf("diagnostic").length === 3);
  expect(
    eventsOf("diagnostic")
      .map(({ message }) => message.replace(folder, "@"))
      .toSorted(),
  ).toEqual([
    'mcp: @/mcp.json: the server "odd" is left out: it needs either a `command` or a `url`.',
    expect.stringMatching(/^mcp: The server missing is not available: .*ENOENT/),
    "mcp: The server unset is not available: The variable NOT_SET is not set.",
  ]);
  expect(await agent.runCommand("mcp")).toMatch(
    /^missing: failed, .*\nunset: failed, .*\nsample: ready, 15 tools$/,
  );
});

test("what a server prints beside its messages reaches nobody and breaks nothing", async () => {
  const { call, eventsOf } = await createMcpScenario({
    servers: { sample: { ...sampleProcess("noisy"), required: true } },
  });
  expect(textOf((await call("mcp__sample__echo", { text: "works" })).content)).toBe("works");
  expect(eventsOf("diagnostic")).toEqual([]);
});

test("a server that ends at once is tried again after waits that grow, and then left alone", async () => {
  const waitsMs: number[] = [];
  const scenario = await createMcpScenario({
    servers: { dies: sampleProcess("dies") },
    mcp: {
      sleep: async (ms) => void waitsMs.push(ms),
    },
  });
  await until(() => scenario.eventsOf("diagnostic").length === 2);
  expect(waitsMs).toEqual([1000, 2000, 4000, 8000, 16_000]);
  expect(scenario.eventsOf("diagnostic").map(({ message }) => message)).toEqual([
    expect.stringMatching(/^mcp: The server dies did not start and is tried again: .*no .*licence/s),
    expect.stringMatching(/^mcp: The server dies is not available: /),
  ]);
});

test("a server that crashes in a call is started again, and its tools stay where they were", async () => {
  const { call, agent } = await createMcpScenario({
    servers: { sample: required },
    mcp: { sleep: async () => undefined },
  });
  await call("mcp__sample__echo", { text: "one" });
  const before = toolsOf(agent.tools.all);
  const crashed = await call("mcp__sample__crash");
  expect(crashed.isError).toBe(true);
  expect(textOf(crashed.content)).toContain("crash on the server sample: ");
  expect(toolsOf(agent.tools.all)).toEqual(before);
  expect(textOf((await call("mcp__sample__echo", { text: "two" })).content)).toBe("two");
});

test("a list that changes is taken over: new tools can be called, and those that are gone cannot", async () => {
  const { call, agent } = await createMcpScenario({ servers: { sample: required } });
  await call("mcp__sample__shrinking");
  await call("mcp__sample__grow");
  await until(() => agent.tools.all.includes("mcp__sample__grown"));
  expect(agent.tools.all).not.toContain("mcp__sample__shrinking");
  expect(textOf((await call("mcp__sample__grown")).content)).toBe("grown");
});

test("an abort reaches the server as a cancellation, and the agent is idle at once", async () => {
  const { call, agent, folder } = await createMcpScenario({ servers: { sample: required } });
  const log = join(folder, "log");
  const calling = call("mcp__sample__slow");
  await until(async () => (await textOfFile(log)).includes("slow started"));
  await agent.abort();
  expect((await calling).isError).toBe(true);
  await until(async () => (await textOfFile(log)).includes("slow cancelled"));
});

test("MC-03: nothing that a server started is left after the agent ends", async () => {
  const { call, agent } = await createMcpScenario({ servers: { sample: required } });
  const pid = Number(textOf((await call("mcp__sample__forks")).content));
  expect(isAlive(pid)).toBe(true);
  await agent.dispose();
  await until(() => !isAlive(pid));
});

test("MC-04: a message without end is cut off at a limit, and the agent goes on", async () => {
  const scenario = await createMcpScenario({
    servers: { endless: sampleProcess("endless") },
    mcp: { sleep: async () => new Promise(() => {}) },
  });
  await until(() => scenario.eventsOf("diagnostic").length > 0);
  expect(scenario.eventsOf("diagnostic")[0]?.message).toMatch(/^mcp: The server endless did not start/);
  scenario.model.push("fine");
  await scenario.agent.prompt("hello");
});

test("MC-06: a resumed session waits for the servers whose tools it used, and keeps its choice of tools", async () => {
  const first = await createMcpScenario({ servers: { sample: required } });
  const repo = new JsonlRepo({ directory: join(first.folder, "sessions") });
  const chosen = ["mcp__sample__echo"];
  const before = await createMcpScenario({
    servers: { sample: required },
    session: await repo.create({ cwd: first.folder }),
    activeToolNames: chosen,
  });
  await before.call("mcp__sample__echo", { text: "one" });
  const { id } = before.agent.session;
  await before.agent.dispose();
  const after = await createMcpScenario({
    servers: { sample: sampleProcess() },
    session: await repo.open(id),
  });
  expect(textOf((await after.call("mcp__sample__echo", { text: "two" })).content)).toBe("two");
  expect(after.model.requests[0]?.tools?.map(({ name }) => name)).toEqual(chosen);
  expect(JSON.stringify(after.model.requests[0]?.tools)).toBe(
    JSON.stringify(before.model.requests[0]?.tools),
  );
  expect(after.agent.tools.active).toEqual(chosen);
  expect(after.eventsOf("diagnostic")).toEqual([]);
});

test("a reload ends the servers and reads the file again", async () => {
  const { call, agent } = await createMcpScenario({ servers: { sample: required } });
  const pid = Number(textOf((await call("mcp__sample__forks")).content));
  await agent.reloadExtensions([]);
  await until(() => !isAlive(pid));
  expect(toolsOf(agent.tools.all)).toEqual([]);
  await expect(agent.runCommand("mcp")).rejects.toMatchObject({ code: "unknown_command" });
});

test("the command for servers shows them, and starts one again", async () => {
  const { call, agent } = await createMcpScenario({ servers: { sample: required } });
  const pid = Number(textOf((await call("mcp__sample__forks")).content));
  expect(await agent.runCommand("mcp", "other")).toBe('There is no server "other". There are: sample.');
  expect(await agent.runCommand("mcp", "sample")).toBe("sample: ready, 15 tools");
  await until(() => !isAlive(pid));
  expect(textOf((await call("mcp__sample__echo", { text: "again" })).content)).toBe("again");
});

test("MC-03: nor is anything left after a program that exits without a word", async () => {
  const script = `
    import { createMcpExtension } from "@coppice/coding-agent";
    import { createScenario } from "@coppice/coding-agent/testing";
    import { scriptedToolCall } from "@coppice/ai/testing";
    import { textOf } from "@coppice/ai";
    const mcp = createMcpExtension({
      files: { read: async () => process.argv[1] },
      configPaths: ["/mcp.json"],
      variable: (name) => (name === "FOLDER" ? "/nowhere" : undefined),
    });
    const { agent, model } = await createScenario({
      cwd: process.cwd(), answers: [scriptedToolCall("mcp__sample__forks"), "done"], extensions: [mcp],
    });
    await agent.prompt("go");
    const { messages } = await agent.getContext();
    console.log(textOf(messages.find(({ role }) => role === "toolResult").content));
    process.exit(0);
  `;
  const run = spawnSync(
    process.execPath,
    [
      ...["--conditions=@coppice/source", "--input-type=module", "--eval", script],
      JSON.stringify({ mcpServers: { sample: required } }),
    ],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  expect(run.stderr).toBe("");
  const pid = Number(run.stdout);
  expect(pid).toBeGreaterThan(0);
  await until(() => !isAlive(pid));
});
