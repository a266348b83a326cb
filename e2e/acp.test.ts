import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { scriptedText, scriptedThinking, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { INIT, ofKind, setUp, textOf, withEditor } from "./acp-editor.ts";
import { createPlayground, until } from "./spawn-coppice.ts";

// The program is started from source, on a machine that does other things.
vi.setConfig({ testTimeout: 90_000 });

test("an editor prompts with text, files and an image, is asked for permission, and sees thoughts, calls, diffs and places", async () => {
  await using place = await setUp([
    {
      content: [
        scriptedThinking("Let me look."),
        scriptedText("I change it."),
        scriptedToolCall("read", { path: "a.txt" }),
        scriptedToolCall("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] }),
      ],
    },
    { content: [scriptedText("Done.")] },
  ]);
  const { playground, wire } = place;
  const file = join(playground.project, "a.txt");
  await writeFile(file, "number\none\n");
  const run = await withEditor({ playground }, async ({ agent, updates, asked }) => {
    const hello = await agent.request("initialize", INIT);
    expect(hello).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "coppice" },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
    });
    const { sessionId, modes } = await agent.request("session/new", {
      cwd: playground.project,
      mcpServers: [],
    });
    expect(modes).toMatchObject({ currentModeId: "ask" });
    const answer = await agent.request("session/prompt", {
      sessionId,
      prompt: [
        { type: "text", text: "Change " },
        { type: "resource_link", name: "a.txt", uri: pathToFileURL(file).href },
        { type: "resource", resource: { uri: "file:///notes.md", text: "be careful" } },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
    });
    expect(answer).toEqual({ stopReason: "end_turn" });
    expect(await readFile(file, "utf8")).toBe("number\ntwo\n");

    expect(textOf(updates, "agent_thought_chunk")).toBe("Let me look.");
    expect(textOf(updates, "agent_message_chunk")).toBe("I change it.Done.");
    const calls = ofKind(updates, "tool_call");
    expect(calls).toMatchObject([
      { title: "read a.txt", kind: "read", status: "pending", locations: [{ path: file }] },
      {
        title: "edit a.txt",
        kind: "edit",
        content: [{ type: "diff", path: file, oldText: "one", newText: "two" }],
      },
    ]);
    const ends = ofKind(updates, "tool_call_update").filter(({ status }) => status === "completed");
    expect(ends.map(({ toolCallId }) => toolCallId)).toEqual(calls.map(({ toolCallId }) => toolCallId));
    expect(ends[1]).toMatchObject({ locations: [{ path: file, line: 2 }] });
    expect(asked).toMatchObject([
      {
        sessionId,
        toolCall: { toolCallId: calls[1]?.toolCallId, content: [{ type: "diff" }] },
        options: [{ kind: "allow_once" }, { kind: "allow_always" }, { kind: "reject_once" }],
      },
    ]);
    expect(ofKind(updates, "usage_update").at(-1)).toMatchObject({ size: 100_000 });
    const sent = JSON.stringify(wire.requests[0]?.body);
    expect(sent).toContain(`Change @${file}`);
    expect(sent).toContain("be careful");
    expect(sent).toContain(PIXEL);
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(wire.rejections).toEqual([]);
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a denied call is told to the model and fails in the editor; in auto mode nobody is asked", async () => {
  const write = (path: string) => ({ content: [scriptedToolCall("write", { path, content: "x" })] });
  await using place = await setUp([
    write("a.txt"),
    { content: [scriptedText("Then not.")] },
    write("b.txt"),
    { content: [scriptedText("Written.")] },
  ]);
  const { playground, wire } = place;
  await withEditor({ playground, choose: () => "reject_once" }, async ({ agent, updates, asked }) => {
    await agent.request("initialize", INIT);
    const { sessionId } = await agent.request("session/new", { cwd: playground.project, mcpServers: [] });
    const prompt = (text: string) =>
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    expect(await prompt("write a")).toEqual({ stopReason: "end_turn" });
    expect(ofKind(updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    expect(JSON.stringify(wire.requests[1]?.body)).toContain("did not allow this call");

    await agent.request("session/set_mode", { sessionId, modeId: "auto" });
    expect(await prompt("write b")).toEqual({ stopReason: "end_turn" });
    expect(asked).toHaveLength(1);
    expect(await readFile(join(playground.project, "b.txt"), "utf8")).toBe("x");
    await expect(agent.request("session/set_mode", { sessionId, modeId: "god" })).rejects.toThrow(
      /"god" is no choice/,
    );
  });
});

test("a session is listed, and loaded with its conversation; model and level are chosen by config options", async () => {
  await using place = await setUp([
    { content: [scriptedText("Reading."), scriptedToolCall("read", { path: "a.txt" })] },
    { content: [scriptedText("It says hi.")] },
    { content: [scriptedText("Still hi.")] },
  ]);
  const { playground } = place;
  await writeFile(join(playground.project, "a.txt"), "hi\n");
  let id = "";
  await withEditor({ playground }, async ({ agent }) => {
    await agent.request("initialize", INIT);
    id = (await agent.request("session/new", { cwd: playground.project, mcpServers: [] })).sessionId;
    await agent.request("session/prompt", {
      sessionId: id,
      prompt: [{ type: "text", text: "what is in a.txt?" }],
    });
  });
  await withEditor({ playground, args: [] }, async ({ agent, updates }) => {
    await agent.request("initialize", INIT);
    const { sessions } = await agent.request("session/list", { cwd: playground.project });
    expect(sessions).toMatchObject([{ sessionId: id, cwd: playground.project, title: "what is in a.txt?" }]);
    const { configOptions } = await agent.request("session/load", {
      sessionId: id,
      cwd: playground.project,
      mcpServers: [],
    });
    expect(configOptions).toMatchObject([
      { id: "mode", currentValue: "ask" },
      { id: "model", currentValue: "wire/wire-1" },
      { id: "thinking", currentValue: "off" },
    ]);
    expect(textOf(updates, "user_message_chunk")).toBe("what is in a.txt?");
    expect(textOf(updates, "agent_message_chunk")).toBe("Reading.It says hi.");
    expect(ofKind(updates, "tool_call")).toMatchObject([{ title: "read a.txt", status: "completed" }]);
    const answer = await agent.request("session/prompt", {
      sessionId: id,
      prompt: [{ type: "text", text: "and now?" }],
    });
    expect(answer).toEqual({ stopReason: "end_turn" });
    const chosen = await agent.request("session/set_config_option", {
      sessionId: id,
      configId: "model",
      value: "coppice/demo",
    });
    expect(chosen.configOptions).toMatchObject([{}, { currentValue: "coppice/demo" }, {}]);
    await agent.request("session/close", { sessionId: id });
    await expect(
      agent.request("session/prompt", { sessionId: id, prompt: [{ type: "text", text: "?" }] }),
    ).rejects.toMatchObject({ code: -32002 });
  });
});

test("cancel ends a running turn as cancelled, with its call failed, and the session goes on", async () => {
  await using place = await setUp([
    { content: [scriptedToolCall("bash", { command: "echo begun; exec sleep 60" })] },
    { content: [scriptedText("Hello again.")] },
  ]);
  const { playground } = place;
  await withEditor({ playground }, async ({ agent, updates }) => {
    await agent.request("initialize", INIT);
    const { sessionId } = await agent.request("session/new", { cwd: playground.project, mcpServers: [] });
    const running = agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: "sleep" }],
    });
    await until(async () =>
      JSON.stringify(ofKind(updates, "tool_call_update").map(({ content }) => content)).includes("begun")
        ? true
        : undefined,
    );
    await agent.notify("session/cancel", { sessionId });
    expect(await running).toEqual({ stopReason: "cancelled" });
    expect(ofKind(updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
    const next = await agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: "hello" }],
    });
    expect(next).toEqual({ stopReason: "end_turn" });
  });
});

test("a working directory that is no folder is refused before anything is made there", async () => {
  await using playground = await createPlayground();
  await mkdir(playground.project, { recursive: true });
  await withEditor({ playground, args: ["--model", "demo"] }, async ({ agent }) => {
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    for (const cwd of ["relative", join(playground.project, "missing")]) {
      await expect(agent.request("session/new", { cwd, mcpServers: [] })).rejects.toThrow(
        /no absolute path of a folder/,
      );
    }
  });
});

test("what goes wrong is told in words: no model is a missing login, a failing model an error, a broken one ends nothing", async () => {
  await using place = await setUp([
    { content: [], fault: { kind: "status", status: 400, message: "no such thing" } },
    { content: [scriptedText("Better.")] },
  ]);
  const { playground } = place;
  await withEditor({ playground }, async ({ agent }) => {
    await agent.request("initialize", INIT);
    const { sessionId } = await agent.request("session/new", { cwd: playground.project, mcpServers: [] });
    const prompt = () =>
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
    await expect(prompt()).rejects.toThrow(/wire\/wire-1: .*no such thing/);
    expect(await prompt()).toEqual({ stopReason: "end_turn" });
    await expect(
      agent.request("session/load", { sessionId: "nope", cwd: playground.project, mcpServers: [] }),
    ).rejects.toThrow(/sessions list/);
  });
  await writeFile(join(playground.home, ".coppice/models.json"), "{}");
  await withEditor({ playground, args: [] }, async ({ agent }) => {
    await agent.request("initialize", INIT);
    await expect(
      agent.request("session/new", { cwd: playground.project, mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32000 });
  });
});
