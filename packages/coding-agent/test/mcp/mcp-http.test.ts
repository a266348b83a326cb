import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { startHttpServer } from "./http-server.ts";
import { createMcpScenario, textOfFile, until } from "./mcp-scenario.ts";

vi.setConfig({ testTimeout: 90_000 });

test("the tools of a server behind an address are called, with the headers of its configuration", async () => {
  const { url, headers } = await startHttpServer({ token: "s3cret" });
  const { call, agent } = await createMcpScenario({
    servers: { web: { url, headers: { Authorization: "Bearer $SECRET_TOKEN" }, required: true } },
  });
  expect(textOf((await call("mcp__web__echo", { text: "hello" })).content)).toBe("hello");
  expect(textOf((await call("mcp__web__fails")).content)).toBe("no luck");
  expect(headers.every(({ authorization }) => authorization === "Bearer s3cret")).toBe(true);
  expect(await agent.runCommand("mcp")).toBe("web: ready, 15 tools");
});

test("a server that refuses is reported once, without the token, and is not asked again", async () => {
  const { url, headers } = await startHttpServer({ token: "another" });
  const scenario = await createMcpScenario({
    servers: { web: { url, headers: { Authorization: "Bearer $SECRET_TOKEN" }, required: true } },
  });
  scenario.model.push("fine");
  await scenario.agent.prompt("hello");
  await until(() => scenario.eventsOf("diagnostic").length === 1);
  const [message = ""] = scenario.eventsOf("diagnostic").map((event) => event.message);
  expect(message).toMatch(/^mcp: The server web is not available: /);
  expect(message).not.toContain("s3cret");
  const asked = headers.length;
  scenario.model.push("fine");
  await scenario.agent.prompt("hello");
  expect(headers.length).toBe(asked);
});

test("a server that is not there is tried again, and the agent works without it", async () => {
  const { url } = await startHttpServer();
  const dead = url.replace(/:\d+\//, ":9/");
  const scenario = await createMcpScenario({
    servers: { dead: { url: dead, required: true }, web: { url, required: true } },
    mcp: { sleep: async () => new Promise(() => {}) },
  });
  expect(textOf((await scenario.call("mcp__web__echo", { text: "works" })).content)).toBe("works");
  await until(() => scenario.eventsOf("diagnostic").length === 1);
  expect(await scenario.agent.runCommand("mcp")).toMatch(/^dead: waiting, .+\nweb: ready, 15 tools$/);
});

test("a server that forgot the session is asked again in a new one", async () => {
  const { url, forget } = await startHttpServer();
  const { call } = await createMcpScenario({ servers: { web: { url, required: true } } });
  expect(textOf((await call("mcp__web__echo", { text: "one" })).content)).toBe("one");
  forget();
  expect(textOf((await call("mcp__web__echo", { text: "two" })).content)).toBe("two");
});

test("a list that changes is taken over over HTTP as well", async () => {
  const { url } = await startHttpServer();
  const { call, agent } = await createMcpScenario({ servers: { web: { url, required: true } } });
  await call("mcp__web__grow");
  await until(() => agent.tools.all.includes("mcp__web__grown"));
  expect(agent.tools.all).not.toContain("mcp__web__shrinking");
});

test("an abort reaches a server behind an address as a cancellation", async () => {
  const log = join(await temporaryFolder(), "log");
  const { url } = await startHttpServer({ log });
  const { call, agent } = await createMcpScenario({ servers: { web: { url, required: true } } });
  const calling = call("mcp__web__slow");
  await until(async () => (await textOfFile(log)).includes("slow started"));
  await agent.abort();
  expect((await calling).isError).toBe(true);
  await until(async () => (await textOfFile(log)).includes("slow cancelled"));
});

test("MC-02: an address that never answers holds up neither the start nor a prompt nor the end", async () => {
  const { url } = await startHttpServer({ answer: () => {} });
  const scenario = await createMcpScenario({ servers: { silent: { url, connectTimeoutMs: 600_000 } } });
  scenario.model.push("one", "two");
  await scenario.agent.prompt("hello");
  await scenario.agent.prompt("hello");
  expect(await scenario.agent.runCommand("mcp")).toBe("silent: connecting");
  await scenario.agent.dispose();
});

test.each([
  { type: "application/json", name: "a body" },
  { type: "text/event-stream", name: "an event" },
])("MC-04: $name without end is cut off at the same limit", async ({ type }) => {
  const { url } = await startHttpServer({
    answer: (_, response) => {
      response.writeHead(200, { "content-type": type });
      const send = () => void (response.writable && response.write(`data: ${"x".repeat(65_536)}`, send));
      response.on("error", () => {});
      send();
    },
  });
  const scenario = await createMcpScenario({
    servers: { endless: { url, required: true } },
    mcp: { sleep: async () => new Promise(() => {}) },
  });
  await until(() => scenario.eventsOf("diagnostic").length > 0);
  expect(scenario.eventsOf("diagnostic")[0]?.message).toContain("more than 16777216 bytes");
});

test("a server that goes away costs the call, and is there again when it comes back", async () => {
  const { url, pause, resume } = await startHttpServer();
  const { call } = await createMcpScenario({ servers: { web: { url, required: true } } });
  expect(textOf((await call("mcp__web__echo", { text: "one" })).content)).toBe("one");
  await pause();
  const lost = await call("mcp__web__echo", { text: "two" });
  expect([lost.isError, textOf(lost.content)]).toEqual([
    true,
    expect.stringContaining("echo on the server web: "),
  ]);
  await resume();
  expect(textOf((await call("mcp__web__echo", { text: "three" })).content)).toBe("three");
});
