import { join } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk";
import { scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { startHttpServer } from "../packages/coding-agent/test/mcp/http-server.ts";
import { type Editor, INIT, ofKind, setUp, textOf, withEditor } from "./acp-editor.ts";
import { ROOT } from "./checkout-copy.ts";
import { until } from "./spawn-coppice.ts";

// The program and a server are started from source, on a machine that does other things.
vi.setConfig({ testTimeout: 90_000 });

const SERVER = join(ROOT, "packages/coding-agent/test/mcp/stdio-server.ts");
const sample = (name: string, ...args: readonly string[]) => ({
  ...{ name, command: process.execPath, args: [SERVER, ...args] },
  env: [{ name: "OF_THE_EDITOR", value: "$HOME" }],
});

/** Asks how the servers are until all of these are ready; a prompt would wait for a short time only. */
async function untilReady(
  { agent, updates }: Pick<Editor, "agent" | "updates">,
  sessionId: string,
  names: readonly string[],
): Promise<void> {
  await until(async () => {
    const told = updates.length;
    await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "/mcp" }] });
    const status = textOf(updates.slice(told), "agent_message_chunk");
    return names.every((name) => status.includes(`${name}: ready`)) || undefined;
  }, 60_000);
}

test("the servers of an editor are started for its session, untrusted project or not, and dead ones hold up nothing", async () => {
  const http = await startHttpServer({ token: "of-$EDITOR" });
  await using place = await setUp([
    {
      content: [
        scriptedToolCall("mcp__process__env", {}),
        scriptedToolCall("mcp__web__echo", { text: "from afar" }),
      ],
    },
    { content: [scriptedText("Both.")] },
  ]);
  const { playground, wire } = place;
  const mcpServers: McpServer[] = [
    sample("process"),
    {
      type: "http",
      name: "web",
      url: http.url,
      headers: [{ name: "Authorization", value: "Bearer of-$EDITOR" }],
    },
    sample("dies", "dies"),
    sample("silent", "silent"),
    { name: "missing", command: "/no/such/program", args: [], env: [] },
    { type: "sse", name: "old", url: http.url, headers: [] },
  ];
  await withEditor({ playground }, async ({ agent, updates }) => {
    expect(await agent.request("initialize", INIT)).toMatchObject({
      agentCapabilities: { mcpCapabilities: { http: true, sse: false } },
    });
    const { sessionId } = await agent.request("session/new", {
      cwd: playground.project,
      mcpServers,
    });
    await agent.request("session/set_mode", { sessionId, modeId: "auto" });
    await untilReady({ agent, updates }, sessionId, ["process", "web"]);
    const answer = await agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: "use both" }],
    });
    expect(answer).toEqual({ stopReason: "end_turn" });
    expect(textOf(updates, "agent_message_chunk")).toMatch(/Both\.$/);
    await until(async () => {
      const notices = ofKind(updates, "notice").map(({ title }) => title);
      const isTold = (what: RegExp) => notices.some((notice) => what.test(notice));
      return (isTold(/the server "old" is left out: SSE/) && isTold(/missing/)) || undefined;
    });
  });
  const results = JSON.stringify(wire.requests[1]?.body);
  expect(results).toContain("OF_THE_EDITOR");
  expect(results).toContain("from afar");
});

test("a session that is loaded or resumed has the servers that the editor names then, and no others", async () => {
  const use = (text: string) => [
    { content: [scriptedToolCall("mcp__process__echo", { text })] },
    { content: [scriptedText(`Said ${text}.`)] },
  ];
  await using place = await setUp([
    { content: [scriptedText("First.")] },
    ...use("once"),
    ...use("again"),
    { content: [scriptedText("Alone.")] },
  ]);
  const { playground, wire } = place;
  const cwd = playground.project;
  let sessionId = "";
  await withEditor({ playground }, async ({ agent, updates }) => {
    await agent.request("initialize", INIT);
    const prompt = (text: string) =>
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    ({ sessionId } = await agent.request("session/new", { cwd, mcpServers: [] }));
    expect(await prompt("first")).toEqual({ stopReason: "end_turn" });
    await agent.request("session/load", { sessionId, cwd, mcpServers: [sample("process")] });
    await agent.request("session/set_mode", { sessionId, modeId: "auto" });
    await untilReady({ agent, updates }, sessionId, ["process"]);
    expect(await prompt("once")).toEqual({ stopReason: "end_turn" });
    const told = updates.length;
    const resumed = await agent.request("session/resume", {
      sessionId,
      cwd,
      mcpServers: [sample("process")],
    });
    expect(resumed).toMatchObject({ modes: { currentModeId: "ask" } });
    // Nothing of the conversation is told again.
    expect(textOf(updates.slice(told), "agent_message_chunk")).toBe("");
    await agent.request("session/set_mode", { sessionId, modeId: "auto" });
    await untilReady({ agent, updates }, sessionId, ["process"]);
    expect(await prompt("again")).toEqual({ stopReason: "end_turn" });
    await agent.request("session/resume", { sessionId, cwd });
    expect(await prompt("alone")).toEqual({ stopReason: "end_turn" });
  });
  const sent = wire.requests.map(({ body }) => JSON.stringify((body as { readonly tools?: unknown }).tools));
  expect(sent.map((tools) => tools.includes("mcp__process__echo"))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});
