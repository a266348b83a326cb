import { once } from "node:events";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createWireServer, scriptedText } from "@coppice/ai/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "./rpc-client.ts";
import { createSandbox, type Sandbox } from "./spawn-cli.ts";

// Each case starts the program.
vi.setConfig({ testTimeout: 180_000 });

async function writeUserFile(sandbox: Sandbox, path: string, text: string): Promise<void> {
  const file = join(sandbox.home, ".coppice", path);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
}

test("a client reloads: what files say counts anew, the session goes on, and a file that is broken is told", async () => {
  await using sandbox = await createSandbox();
  const { client, seen } = await connect(sandbox, ["--model", "demo", "--thinking", "low"]);
  await client.request("prompt", { message: "hello" });
  await seen("agent_settled");
  await client.request("set_permission_mode", { mode: "read-only" });
  await client.request("set_active_tools", { names: ["read"] });
  await client.request("prompt", { message: "again" });
  await seen("agent_settled", 2);
  const before = await client.request("get_state");
  const heard = await client.request("get_messages");

  await writeUserFile(
    sandbox,
    "skills/water/SKILL.md",
    "---\nname: water\ndescription: Waters.\n---\nWater.\n",
  );
  await writeUserFile(
    sandbox,
    "extensions/dice.mjs",
    'export default (api) => api.registerCommand("dice", { description: "Rolls.", handler: () => "six" });\n',
  );
  expect(await client.request("set_setting", { path: ["model"], value: "no-such-model" })).toMatchObject({
    warning: expect.stringContaining("no-such-model"),
  });
  expect(await client.request("set_setting", { path: ["model"] })).toEqual({});
  const after = await client.request("reload");
  expect(after).toEqual({ ...before, leafId: after.leafId, notices: [] });
  expect(await client.request("get_messages")).toEqual(heard);
  expect((await client.request("get_commands")).skills).toMatchObject([{ name: "water" }]);
  expect(await client.request("run_command", { name: "dice" })).toEqual({ said: "six" });

  await writeUserFile(sandbox, "settings.json", "{");
  expect((await client.request("reload")).notices).toEqual([expect.stringContaining("settings.json")]);
  expect(await client.request("run_command", { name: "dice" })).toEqual({ said: "six" });
  await client.request("prompt", { message: "once more" });
  await seen("agent_settled", 3);
  expect(await client.close()).toBe(0);
  expect(await sandbox.sessionFiles()).toHaveLength(1);
});

test("a reload is refused while the agent works, and where it could not go on in the session", async () => {
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.project, "package.json"), '{"scripts":{"test":"echo begun; exec sleep 60"}}');
  const { client, seen } = await connect(sandbox, ["--model", "demo", "--no-session"]);
  await client.request("reload");
  await client.request("prompt", { message: "run the tests" });
  await seen("tool_execution_update");
  await expect(client.request("reload")).rejects.toMatchObject({ code: "agent_busy" });
  await client.request("abort");
  await seen("agent_settled");
  await expect(client.request("reload")).rejects.toMatchObject({ code: "usage" });
  expect((await client.request("get_messages")).messages.length).toBeGreaterThan(0);
  expect(await client.close()).toBe(0);
});

test("where no agent can be made of what the files say, a reload goes on with what they said before", async () => {
  await using sandbox = await createSandbox();
  const { client, seen } = await connect(sandbox, ["--model", "demo"]);
  await writeUserFile(sandbox, "settings.json", '{"tools":["no-such-tool"]}');
  await expect(client.request("reload")).rejects.toMatchObject({ code: "unknown_tool" });
  await client.request("prompt", { message: "hello" });
  await seen("agent_settled");
  await writeUserFile(sandbox, "settings.json", "{}");
  expect(await client.request("reload")).toMatchObject({ isBusy: false, notices: [] });
  expect(await client.close()).toBe(0);
});

test("where the session cannot be opened again, a reload leaves the agent as it is", async () => {
  await using sandbox = await createSandbox();
  const { client, seen } = await connect(sandbox, ["--model", "demo"]);
  await client.request("prompt", { message: "hello" });
  await seen("agent_settled");
  const before = await client.request("get_state");
  const path = String(before.sessionPath);
  await rename(path, `${path}.away`);
  await expect(client.request("reload")).rejects.toMatchObject({ code: "not_found" });
  expect(await client.request("get_state")).toEqual(before);
  await rename(`${path}.away`, path);
  await client.request("prompt", { message: "again" });
  await seen("agent_settled", 2);
  expect(await client.request("reload")).toMatchObject({ sessionId: before.sessionId });
  expect(await client.close()).toBe(0);
});

/** Takes the session's file away when its agent ends, once it is told which. */
const THIEF = `
import { readFileSync, renameSync } from "node:fs";
export default (api) =>
  api.on("session_shutdown", () => {
    const path = readFileSync("which", "utf8");
    if (path !== "") renameSync(path, path + ".away");
  });
`;

test("a session that is lost while its agent is exchanged is opened by the next reload, with what was chosen", async () => {
  await using sandbox = await createSandbox();
  await writeUserFile(sandbox, "extensions/thief.mjs", THIEF);
  const which = join(sandbox.project, "which");
  await writeFile(which, "");
  const { client, seen } = await connect(sandbox, ["--model", "demo"]);
  await client.request("prompt", { message: "hello" });
  await seen("agent_settled");
  await client.request("set_permission_mode", { mode: "read-only" });
  const before = await client.request("get_state");
  const path = String(before.sessionPath);
  await writeFile(which, path);
  await expect(client.request("reload")).rejects.toMatchObject({ code: "not_found" });
  await expect(client.request("prompt", { message: "again" })).rejects.toMatchObject({
    code: "agent_disposed",
  });
  await writeFile(which, "");
  await rename(`${path}.away`, path);
  expect(await client.request("reload")).toMatchObject({
    sessionId: before.sessionId,
    permissionMode: "read-only",
  });
  await client.request("prompt", { message: "again" });
  await seen("agent_settled", 2);
  expect(await client.close()).toBe(0);
});

const MCP_SERVER = join(import.meta.dirname, "../../../packages/coding-agent/test/mcp/stdio-server.ts");

test("a client sees how the MCP servers are and starts one again; one that was added counts after a reload", async () => {
  await using sandbox = await createSandbox();
  const { client } = await connect(sandbox, ["--model", "demo"]);
  expect(await client.request("get_mcp_servers")).toEqual({ servers: [] });
  const sample = { command: process.execPath, args: [MCP_SERVER] };
  await writeUserFile(sandbox, "mcp.json", JSON.stringify({ mcpServers: { sample } }));
  await client.request("reload");
  const ready = { name: "sample", state: "ready", tools: 15 };
  expect(await client.request("restart_mcp_server", { name: "sample" })).toEqual(ready);
  expect(await client.request("get_mcp_servers")).toEqual({ servers: [ready] });
  await expect(client.request("restart_mcp_server", { name: "nope" })).rejects.toMatchObject({
    code: "usage",
  });
  expect(await client.close()).toBe(0);
});

/** A server whose person types the code when `isTyped` becomes true; at `/authorize` nobody ever answers. */
async function authorization(access: string, person: { readonly isTyped: boolean }) {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const json = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const origin = `http://${request.headers.host}`;
    if (request.url === "/device") {
      const [device_code, user_code] = ["canary-device", "ABCD-EFGH"];
      return json(200, { device_code, user_code, verification_uri: `${origin}/activate`, interval: 0.01 });
    }
    if (!person.isTyped) return json(400, { error: "authorization_pending" });
    return json(200, { access_token: access, refresh_token: "canary-refresh", expires_in: 3600 });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("AU-06: a client logs its user in, who may give up, and stores a key; both count after a reload and are never shown", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: [{ content: [scriptedText("ok")] }] });
  const person = { isTyped: false };
  const origin = await authorization(wire.apiKey, person);
  const oauth = {
    ...{ clientId: "c", tokenUrl: `${origin}/token`, deviceUrl: `${origin}/device` },
    authorizationUrl: `${origin}/authorize`,
  };
  const providers = { team: { baseUrl: wire.baseUrl("openai-completions"), oauth, models: [{ id: "x" }] } };
  await writeUserFile(sandbox, "models.json", JSON.stringify({ providers }));
  const { client, events, seen } = await connect(sandbox, ["--model", "demo"]);
  const question = async (count: number) => {
    await seen("question", count);
    return events.filter(({ type }) => type === "question")[count - 1];
  };
  const { logins } = await client.request("get_logins");
  expect(logins[0]).toEqual({ provider: "team", ways: ["browser", "device"], isStored: false });
  expect(logins).toContainEqual({ provider: "anthropic", ways: ["key"], isStored: false });
  await expect(client.request("login", { provider: "anthropic" })).rejects.toMatchObject({ code: "usage" });
  await expect(client.request("login", { provider: "nobody", key: "k" })).rejects.toMatchObject({
    code: "usage",
  });

  // Whoever can be asked may give up, in each way.
  await client.request("answer_questions", { enabled: true });
  for (const [at, way, kind] of [
    [1, "browser", "input"],
    [2, "device", "select"],
  ] as const) {
    const givenUp = client.request("login", { provider: "team", way });
    const refusal = expect(givenUp).rejects.toMatchObject({ code: "login_failed" });
    const asked = await question(at);
    expect(asked).toMatchObject({
      dialog: { owner: "coppice", kind, title: expect.stringContaining(origin) },
    });
    await client.request("answer_question", { questionId: String(asked?.questionId), answer: null });
    await refusal;
  }

  const loggedIn = client.request("login", { provider: "team", way: "device" });
  await question(3);
  person.isTyped = true;
  expect(await loggedIn).toEqual({});
  await seen("question_closed");
  expect(events.findLast(({ type }) => type === "login_step")).toMatchObject({
    ...{ provider: "team", way: "device", url: `${origin}/activate`, code: "ABCD-EFGH" },
  });
  expect(await client.request("login", { provider: "anthropic", key: " canary-key\n" })).toEqual({});
  const file = join(sandbox.home, ".coppice/auth.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    ...{ team: { type: "oauth" }, anthropic: { type: "api_key", key: "canary-key" } },
  });

  await client.request("reload");
  await client.request("set_model", { model: "team/x" });
  await client.request("prompt", { message: "hi" });
  await seen("agent_settled");
  expect(JSON.stringify((await client.request("get_messages")).messages)).toContain("ok");
  expect(JSON.stringify(events)).not.toContain("canary");
  expect(await client.close()).toBe(0);
});

test("a client's user who is at another machine pastes the address that the browser ended at", async () => {
  await using sandbox = await createSandbox();
  const origin = await authorization("canary-access", { isTyped: true });
  const oauth = {
    clientId: "c",
    tokenUrl: `${origin}/token`,
    authorizationUrl: `${origin}/authorize`,
  };
  const providers = { team: { baseUrl: "http://127.0.0.1:1/v1", oauth, models: [{ id: "x" }] } };
  await writeUserFile(sandbox, "models.json", JSON.stringify({ providers }));
  const { client, events, seen } = await connect(sandbox, ["--model", "demo"]);
  await client.request("answer_questions", { enabled: true });
  const loggedIn = client.request("login", { provider: "team", way: "browser" });
  await seen("question");
  const step = new URL(String(events.find(({ type }) => type === "login_step")?.url));
  const ended = new URL(step.searchParams.get("redirect_uri") ?? "");
  ended.search = new URLSearchParams({
    code: "canary-code",
    state: step.searchParams.get("state") ?? "",
  }).toString();
  const questionId = String(events.find(({ type }) => type === "question")?.questionId);
  await client.request("answer_question", { questionId, answer: ended.href });
  expect(await loggedIn).toEqual({});
  const stored = JSON.parse(await readFile(join(sandbox.home, ".coppice/auth.json"), "utf8"));
  expect(stored).toMatchObject({ team: { type: "oauth" } });
  expect(JSON.stringify(stored)).toContain("canary-access");
  expect(JSON.stringify(events)).not.toContain("canary-");
  expect(await client.close()).toBe(0);
});

test("a login that is open when the client goes away is given up, and the program ends", async () => {
  await using sandbox = await createSandbox();
  const origin = await authorization("none", { isTyped: false });
  const oauth = { clientId: "c", tokenUrl: `${origin}/token`, deviceUrl: `${origin}/device` };
  const providers = { team: { baseUrl: "http://127.0.0.1:1/v1", oauth, models: [{ id: "x" }] } };
  await writeUserFile(sandbox, "models.json", JSON.stringify({ providers }));
  const run = sandbox.start(["--model", "demo", "--mode", "rpc"], { stdin: null });
  run.child.stdin?.write('{"type":"login","provider":"team","id":1}\n');
  await new Promise<void>((resolve) => {
    run.child.stdout?.on("data", (text: string) => text.includes('"login_step"') && resolve());
  });
  run.child.stdin?.end();
  const { exitCode, stdout } = await run.ended;
  expect(exitCode).toBe(0);
  expect(stdout).toContain('"login_failed"');
});
