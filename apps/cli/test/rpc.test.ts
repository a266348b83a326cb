import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { createWireServer, scriptedText, scriptedToolCall, type WireAnswer } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { expect, test, vi } from "vitest";
import { connect } from "./rpc-client.ts";
import { createSandbox, jsonLines } from "./spawn-cli.ts";

// Each case starts the program.
vi.setConfig({ testTimeout: 90_000 });

test("a client prompts, looks at tree, entries, context and costs, labels, goes back, and goes on in a fork", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "notes.txt"), "TODO: water the plants\n");
  const { client, events, seen } = await connect(sandbox, ["--model", "demo"]);
  await client.request("prompt", { message: "find TODOs" });
  await seen("agent_settled");
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["agent_start", "tool_execution_end"]),
  );

  const state = await client.request("get_state");
  expect(state).toMatchObject({ cwd: sandbox.project, model: "coppice/demo", isBusy: false });
  const tree = await client.request("get_tree");
  expect(tree.leafId).toBe(state.leafId);
  const { entries } = await client.request("get_entries");
  expect(entries.map(({ id }) => id)).toEqual(tree.entries.map(({ id }) => id));
  const asked = entries.find((entry) => isEntry(entry, "message") && entry.message.role === "user");
  const [first] = entries;
  expect((await client.request("get_entries", { since: first?.id ?? "" })).entries).toHaveLength(
    entries.length - 1,
  );
  expect(await client.request("get_stats")).toMatchObject({ userMessages: 1 });
  expect((await client.request("inspect_context")).entries).toHaveLength(entries.length);
  expect(await client.request("get_context_usage")).toMatchObject({ contextWindow: expect.any(Number) });

  await client.request("label", { entryId: first?.id ?? "", label: "start" });
  expect((await client.request("get_tree")).entries[0]).toMatchObject({ label: "start" });
  await client.request("set_session_name", { name: "plants" });
  const pin = await client.request("pin", { text: "never deploy on a Friday" });
  expect(await client.request("pins")).toEqual({ pins: [pin] });
  await client.request("unpin", { pinId: pin.id });
  expect(await client.request("pins")).toEqual({ pins: [] });

  expect(await client.request("navigate", { entryId: asked?.id ?? null })).toEqual({
    editorText: "find TODOs",
  });
  await client.request("navigate", { entryId: state.leafId });
  const fork = await client.request("fork");
  expect(fork).toMatchObject({ sessionName: "plants", leafId: expect.any(String) });
  expect(fork.sessionId).not.toBe(state.sessionId);
  await client.request("prompt", { message: "what did I ask so far?" });
  await seen("agent_settled", 2);
  expect(JSON.stringify((await client.request("get_messages")).messages.at(-1))).toContain("find TODOs");

  const fresh = await client.request("new_session");
  expect(fresh.leafId).toBeNull();
  const back = await client.request("switch_session", { session: state.sessionId });
  expect(back).toMatchObject({ sessionId: state.sessionId, sessionName: "plants" });
  expect(await client.close()).toBe(0);
  expect(await sandbox.sessionFiles()).toHaveLength(2);
});

test("a client steers, queues, takes back, changes model, level and tools, and aborts; refusals carry their code", async () => {
  await using sandbox = await createSandbox();
  const answer: WireAnswer = { content: [scriptedText("ok")] };
  await using wire = await createWireServer({ answers: [answer, answer] });
  const { client, events, seen } = await connect(sandbox, [
    ...["--base-url", wire.baseUrl("openai-completions"), "--model", "m"],
  ]);
  await expect(client.request("prompt", { message: " " })).rejects.toMatchObject({ code: "empty_prompt" });
  await expect(client.request("navigate", { entryId: "nope" })).rejects.toMatchObject({
    code: "unknown_entry",
  });
  await expect(client.request("set_model", { model: "no-such-model" })).rejects.toMatchObject({
    code: "unknown_model",
  });
  await expect(client.request("compact")).rejects.toMatchObject({ code: "nothing_to_compact" });
  await expect(client.request("switch_session", { session: "ffff" })).rejects.toMatchObject({
    code: "not_found",
  });

  await client.request("set_active_tools", { names: ["read"] });
  await client.request("set_thinking_level", { level: "off" });
  await client.request("steer", { message: "hello" });
  await seen("agent_settled");
  expect(events.filter(({ type }) => type === "message_end")).toHaveLength(2);
  const { model, tools } = await client.request("get_state");
  expect({ model, active: tools.active }).toEqual({ model: "server/m", active: ["read"] });
  await client.request("set_active_tools", { names: tools.all });

  const { models } = await client.request("get_models");
  expect(models.find(({ id }) => id === "demo")).toMatchObject({ isUsable: true });
  expect(await client.request("set_model", { model: "demo" })).toMatchObject({ model: "coppice/demo" });
  await writeFile(join(sandbox.project, "package.json"), '{"scripts":{"test":"echo begun; exec sleep 60"}}');
  await client.request("prompt", { message: "run the tests" });
  await seen("tool_execution_update");
  await expect(client.request("prompt", { message: "again" })).rejects.toMatchObject({ code: "agent_busy" });
  await client.request("follow_up", { message: "and then this" });
  expect(JSON.stringify((await client.request("clear_queue")).messages)).toContain("and then this");
  await client.request("abort");
  await seen("agent_settled", 2);
  expect(await client.request("get_state")).toMatchObject({ isBusy: false });
  const updates = events.filter(({ type }) => type === "tool_execution_update").length;
  await client.request("prompt", { message: "run the tests" });
  await seen("tool_execution_update", updates + 1);
  await client.request("steer", { message: "in the old session" });
  const moved = await client.request("new_session");
  expect([moved.leafId, moved.isBusy]).toEqual([null, false]);
  expect(moved.queued?.map((message) => "content" in message && textOf(message.content))).toEqual([
    "in the old session",
  ]);
  await seen("agent_settled", 3);
  expect(await client.close()).toBe(0);
});

test("B209, B219, CL-08: raw lines: garbage is answered, U+2028 is no line end, and the end of input ends the program after its work", async () => {
  await using sandbox = await createSandbox();
  const lines = [
    "{",
    "null",
    '{"type":"nope","id":1}',
    '{"type":"prompt","id":2,"message":"hello\u2028there"}',
  ];
  const run = await sandbox.run(["--model", "demo", "--mode", "rpc"], { stdin: `${lines.join("\n")}\n` });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).not.toMatch(/[\u2028\u2029]/);
  const records = jsonLines(run.stdout);
  expect(records[0]).toMatchObject({ type: "ready", protocol: 1, state: { isBusy: false } });
  expect(records.filter(({ type }) => type === "response")).toMatchObject([
    { success: false, error: { code: "invalid_json" } },
    { success: false, error: { code: "invalid_command" } },
    { success: false, error: { code: "unknown_command" }, id: 1, command: "nope" },
    { success: true, id: 2, command: "prompt" },
  ]);
  expect(records.at(-1)).toMatchObject({ type: "agent_settled" });
  expect(JSON.stringify(records)).toContain("hello\u2028there");
});

test("CL-10, CL-14: SIGTERM aborts what runs, flushes, and ends with 143; a program without a model says so with 3", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "package.json"), '{"scripts":{"test":"echo begun; exec sleep 60"}}');
  const process = sandbox.start(["--model", "demo", "--mode", "rpc"], { stdin: null });
  process.child.stdin?.write('{"type":"prompt","message":"run the tests"}\n');
  await new Promise<void>((resolve) => {
    process.child.stdout?.on("data", (text: string) => {
      if (text.includes("tool_execution_update")) resolve();
    });
  });
  process.child.kill("SIGTERM");
  const run = await process.ended;
  expect(run.exitCode).toBe(143);
  expect(jsonLines(run.stdout).at(-1)).toMatchObject({ type: "agent_settled", aborted: true });
  const without = await sandbox.run(["--mode", "rpc"]);
  expect(without.exitCode).toBe(3);
  expect(jsonLines(without.stdout)).toMatchObject([{ type: "ready", missing: { code: "no_model" } }]);
});

test("a client looks at a compaction before it is made, edits, stores, undoes and redoes it, and hides an entry", async () => {
  await using sandbox = await createSandbox();
  const long = "an observation about the greenhouse. ".repeat(400);
  await using wire = await createWireServer({
    answers: Array.from({ length: 8 }, () => ({ content: [scriptedText(long)] })),
  });
  const { client, seen } = await connect(sandbox, [
    ...["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "--context-window", "16000"],
  ]);
  for (let turn = 1; turn <= 3; turn++) {
    await client.request("prompt", { message: `what about bed ${turn}?` });
    await seen("agent_settled", turn);
  }
  const outlook = await client.request("preview_compaction");
  expect(outlook.goes.length).toBeGreaterThan(0);
  const { request } = await client.request("preview_request", { message: "unsaid" });
  expect(JSON.stringify(request)).toContain("unsaid");

  const draft = await client.request("draft_compaction");
  const summary = `${draft.summary}\n\nThe beds are dry.`;
  await client.request("compact", { draftId: draft.id, summary });
  const shown = async () => JSON.stringify((await client.request("get_messages")).messages);
  expect(await shown()).toContain("The beds are dry.");
  await client.request("undo_compaction");
  expect(await shown()).not.toContain("The beds are dry.");
  await client.request("redo_compaction");
  expect(await shown()).toContain("The beds are dry.");

  const { entries } = await client.request("get_entries");
  const asked = entries.findLast((entry) => isEntry(entry, "message") && entry.message.role === "user");
  await client.request("edit_context", { entryId: asked?.id ?? "", content: null });
  expect(await shown()).not.toContain("what about bed 3?");
  expect(await client.close()).toBe(0);
});

test("a client answers permission questions once it said that it does; before, the answer is no", async () => {
  await using sandbox = await createSandbox();
  const write = (path: string): WireAnswer => ({
    content: [scriptedToolCall("write", { path, content: "x" })],
  });
  const done: WireAnswer = { content: [scriptedText("ok")] };
  await using wire = await createWireServer({
    answers: [write("a.txt"), done, write("b.txt"), done, write("c.txt"), done, write("d.txt"), done],
  });
  const { client, events, seen } = await connect(sandbox, [
    ...["--base-url", wire.baseUrl("openai-completions"), "--model", "m", "--permission-mode", "ask"],
  ]);
  const isThere = (name: string) => existsSync(join(sandbox.project, name));
  await client.request("prompt", { message: "a" });
  await seen("agent_settled");
  expect([isThere("a.txt"), events.some(({ type }) => type === "question")]).toEqual([false, false]);

  await client.request("answer_questions", { enabled: true });
  await client.request("prompt", { message: "b" });
  await seen("question");
  const question = events.find(({ type }) => type === "question");
  expect(question).toMatchObject({ kind: "permission", tool: "write", input: { path: "b.txt" } });
  const questionId = String(question?.questionId);
  await expect(client.request("answer_question", { questionId, answer: "yes" })).rejects.toMatchObject({
    code: "usage",
  });
  await client.request("answer_question", { questionId, answer: { decision: "allow" } });
  await seen("agent_settled", 2);
  expect(isThere("b.txt")).toBe(true);
  await expect(client.request("answer_question", { questionId, answer: null })).rejects.toMatchObject({
    code: "usage",
  });

  await client.request("prompt", { message: "c" });
  await seen("question", 2);
  await client.request("abort");
  await seen("question_closed");
  await seen("agent_settled", 3);
  expect(isThere("c.txt")).toBe(false);
  await client.request("set_permission_mode", { mode: "auto" });
  expect(await client.request("get_state")).toMatchObject({ permissionMode: "auto" });
  expect(await client.close()).toBe(0);
});

test("a client runs its user's commands, changes settings, lists sessions and exports one", async () => {
  await using sandbox = await createSandbox();
  const { client, seen } = await connect(sandbox, ["--model", "demo"]);
  await client.request("prompt", { message: "hello" });
  await seen("agent_settled");
  const result = await client.request("bash", { command: "echo loud; exit 3" });
  expect(result).toMatchObject({ output: "loud", exitCode: 3 });
  await client.request("bash", { command: "echo hush", isPrivate: true });
  const { messages } = await client.request("get_messages");
  expect(messages.filter(({ role }) => role === "bashExecution")).toMatchObject([
    { command: "echo loud; exit 3" },
    { command: "echo hush", excludeFromContext: true },
  ]);
  const { request } = await client.request("preview_request", { message: "next" });
  expect(JSON.stringify(request)).toContain("loud");
  expect(JSON.stringify(request)).not.toContain("hush");

  await client.request("set_setting", { path: ["compaction", "threshold"], value: 0.5 });
  await expect(
    client.request("set_setting", { path: ["compaction", "threshold"], value: 7 }),
  ).rejects.toMatchObject({ code: "invalid_setting" });
  expect(await readFile(join(sandbox.home, ".coppice/settings.json"), "utf8")).toContain("0.5");
  expect(await client.request("get_settings")).toMatchObject({ isProjectTrusted: false });
  const { sessionId } = await client.request("get_state");
  expect(await client.request("list_sessions")).toMatchObject({ sessions: [{ id: sessionId }] });
  const { path } = await client.request("export", { file: "page.html" });
  expect(path).toBe(join(sandbox.project, "page.html"));
  expect(await readFile(path, "utf8")).toContain("<html");
  expect(await client.request("get_commands")).toEqual({
    commands: expect.any(Array),
    templates: [],
    skills: [],
  });
  await expect(client.request("run_command", { name: "nope" })).rejects.toMatchObject({
    code: "unknown_command",
  });
  expect(await client.close()).toBe(0);
});
