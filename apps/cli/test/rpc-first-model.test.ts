import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText } from "@coppice/ai/testing";
import { expect, test, vi } from "vitest";
import { connect } from "./rpc-client.ts";
import { createSandbox } from "./spawn-cli.ts";

// Each case starts the program.
vi.setConfig({ testTimeout: 180_000 });

test("without a model a client is served: it learns what is missing, stores the first key, and goes on after a reload", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: [{ content: [scriptedText("ok")] }] });
  const { client, events, seen } = await connect(sandbox, []);
  const { state, missing } = await client.ready;
  expect(state).toBeUndefined();
  expect(missing).toEqual({
    code: "no_model",
    message: expect.any(String),
    advice: expect.stringContaining("ANTHROPIC_API_KEY"),
  });
  const refused = { code: "no_model", advice: missing?.advice };
  await expect(client.request("prompt", { message: "hi" })).rejects.toMatchObject(refused);
  await expect(client.request("get_state")).rejects.toMatchObject(refused);
  await expect(client.request("set_permission_mode", { mode: "auto" })).rejects.toMatchObject(refused);
  await expect(client.request("new_session")).rejects.toMatchObject(refused);
  await expect(client.request("reload")).rejects.toMatchObject(refused);
  expect((await client.request("get_models")).models.length).toBeGreaterThan(100);
  expect((await client.request("list_sessions")).sessions).toEqual([]);
  expect(await client.request("get_settings")).toMatchObject({ isProjectTrusted: expect.any(Boolean) });

  const team = { baseUrl: wire.baseUrl("openai-completions"), apiKey: "$TEAM_KEY", models: [{ id: "x" }] };
  await mkdir(join(sandbox.home, ".coppice"), { recursive: true });
  await writeFile(join(sandbox.home, ".coppice/models.json"), JSON.stringify({ providers: { team } }));
  await expect(client.request("set_model", { model: "team/x" })).rejects.toMatchObject({ code: "no_key" });
  await expect(client.request("get_state")).rejects.toMatchObject(refused);
  await client.request("login", { provider: "team", key: wire.apiKey });
  await client.request("set_setting", { path: ["thinkingLevel"], value: "off" });
  expect(await client.request("reload")).toMatchObject({ model: "team/x", isBusy: false, notices: [] });
  await client.request("prompt", { message: "hi" });
  await seen("agent_settled");
  expect(JSON.stringify((await client.request("get_messages")).messages)).toContain("ok");
  expect(JSON.stringify(events)).not.toContain(wire.apiKey);
  expect(await client.close()).toBe(0);
});

test("the model of the command line waits for its key; another one can be chosen instead", async () => {
  await using sandbox = await createSandbox();
  const { client, seen } = await connect(sandbox, ["--model", "anthropic/claude-sonnet-5-5"]);
  expect((await client.ready).missing).toMatchObject({ code: "no_key" });
  expect(await client.request("set_model", { model: "demo" })).toMatchObject({ model: "coppice/demo" });
  await client.request("prompt", { message: "find TODOs" });
  await seen("agent_settled");
  expect(await client.request("new_session")).toMatchObject({ model: "coppice/demo" });
  expect(await client.close()).toBe(0);
});

test("a client that mends nothing gets the error and the exit code of any run; other errors end it at once", async () => {
  await using sandbox = await createSandbox();
  const empty = await sandbox.run(["--mode", "rpc"]);
  expect(empty.exitCode).toBe(3);
  expect(empty.stderr).toContain("No model can be used");
  expect(JSON.parse(empty.stdout)).toMatchObject({ type: "ready", missing: { code: "no_model" } });
  const unknown = await sandbox.run(["--mode", "rpc", "--model", "no/such-model"]);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  const stopped = sandbox.start(["--mode", "rpc"], { stdin: null });
  await new Promise<void>((resolve) => {
    stopped.child.stdout?.on("data", (text: string) => text.includes('"ready"') && resolve());
  });
  stopped.child.kill("SIGTERM");
  expect((await stopped.ended).exitCode).toBe(143);
});
