import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createWireServer, scriptedText } from "@coppice/ai/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "./spawn-cli.ts";

// Each case starts the program several times.
vi.setConfig({ testTimeout: 120_000 });

/** An authorisation server whose person types the code at once; `refusal` is its answer to a renewal. */
async function authorization(access: string, state: { refusal?: string; status?: number }) {
  const grants: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const json = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/device") {
      const [device_code, user_code] = ["canary-device", "ABCD-EFGH"];
      return json(200, { device_code, user_code, verification_uri: `${origin}/activate`, interval: 0.01 });
    }
    const fields = new URLSearchParams(body);
    grants.push(fields.get("grant_type") ?? "");
    const isRenewal = fields.get("grant_type") === "refresh_token";
    if (isRenewal && state.refusal !== undefined) return json(state.status ?? 400, { error: state.refusal });
    return json(200, {
      access_token: access,
      refresh_token: "canary-refresh",
      expires_in: isRenewal ? 3600 : 1,
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    grants,
    stop,
    oauth: { clientId: "c", tokenUrl: `${origin}/token`, deviceUrl: `${origin}/device` },
  };
}

test("AU-06, AU-07: a login is made at the shell, kept for its owner, renewed by the next run, and told when it is over", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: [{ content: [scriptedText("ok")] }] });
  const state: { refusal?: string } = {};
  const { origin, oauth, grants } = await authorization(wire.apiKey, state);
  await mkdir(join(sandbox.home, ".coppice"));
  const providers = { team: { baseUrl: wire.baseUrl("openai-completions"), oauth, models: [{ id: "x" }] } };
  await writeFile(join(sandbox.home, ".coppice/models.json"), JSON.stringify({ providers }));
  const ask = ["--model", "team/x", "-p", "hi"];

  const before = await sandbox.run(ask);
  expect(before).toMatchObject({ exitCode: 3, stdout: "" });
  expect(before.stderr).toContain("coppice auth login team");
  const login = await sandbox.run(["auth", "login", "team"]);
  expect(login).toMatchObject({ exitCode: 0, stdout: "" });
  expect(login.stderr).toContain(`${origin}/activate`);
  expect(login.stderr).toContain("ABCD-EFGH");
  const file = join(sandbox.home, ".coppice/auth.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await sandbox.run(ask)).toMatchObject({ exitCode: 0, stdout: "ok\n" });
  expect(grants.map((grant) => grant.split(":").at(-1))).toEqual(["device_code", "refresh_token"]);

  // The login runs out, and the server has taken it back meanwhile.
  const stored = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ team: { ...stored.team, expiresAtMs: 1 } }));
  state.refusal = "invalid_grant";
  const over = await sandbox.run(ask);
  expect(over.exitCode).toBe(3);
  expect(over.stderr).toContain("Log in to team again");
  expect(over.stderr).toContain("coppice auth login team");
  expect(JSON.parse(await readFile(file, "utf8")).team.refresh).toBe("canary-refresh");
  const outputs = [before, login, over].flatMap(({ stdout, stderr }) => [stdout, stderr]).join("");
  expect(outputs).not.toMatch(/canary|test-key/);
});

test("AU-07: a login that cannot be renewed now is told as what it is: a server that is out of order, one that is gone, a key that is refused", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: [] });
  const state: { refusal?: string; status?: number } = { refusal: "busy", status: 503 };
  const { origin, oauth, stop } = await authorization("not the key", state);
  await mkdir(join(sandbox.home, ".coppice"));
  const write = (name: string, value: object) =>
    writeFile(join(sandbox.home, ".coppice", name), JSON.stringify(value), { mode: 0o600 });
  const baseUrl = wire.baseUrl("openai-completions");
  await write("models.json", { providers: { team: { baseUrl, oauth, models: [{ id: "x" }] } } });
  await write("settings.json", { retry: { enabled: false } });
  const login = { type: "oauth", access: "old", refresh: "canary-refresh" };
  await write("auth.json", { team: { ...login, expiresAtMs: 1 } });
  const ask = async () => {
    const { exitCode, stderr } = await sandbox.run(["--model", "team/x", "-p", "hi"]);
    expect(stderr).not.toContain("canary");
    return { exitCode, stderr };
  };

  expect(await ask()).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(/could not be renewed: busy \(status 503\)[\s\S]*Try again later/),
  });
  await write("auth.json", { team: { ...login, expiresAtMs: Date.now() + 3_600_000 } });
  expect(await ask()).toEqual({ exitCode: 3, stderr: expect.stringContaining("coppice auth login team") });
  await write("auth.json", { team: { ...login, expiresAtMs: 1 } });
  stop();
  const gone = await ask();
  expect(gone).toEqual({ exitCode: 1, stderr: expect.stringContaining("ECONNREFUSED") });
  expect(gone.stderr).toContain(`Check the network, and that ${new URL(origin).host}`);
});

test("AU-06: where no way to log in is known, or not that way, the command says what there is", async () => {
  await using sandbox = await createSandbox();
  const unknown = await sandbox.run(["auth", "login", "anthropic"]);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unknown.stderr).toContain("coppice auth set anthropic");
  await mkdir(join(sandbox.home, ".coppice"), { recursive: true });
  const oauth = {
    clientId: "c",
    tokenUrl: "http://127.0.0.1:1/token",
    deviceUrl: "http://127.0.0.1:1/device",
  };
  const providers = { team: { baseUrl: "http://127.0.0.1:1/v1", oauth, models: [{ id: "x" }] } };
  await writeFile(join(sandbox.home, ".coppice/models.json"), JSON.stringify({ providers }));
  const other = await sandbox.run(["auth", "login", "team", "browser"]);
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain("It offers: device.");
  const gone = await sandbox.run(["auth", "login", "team"]);
  expect(gone.exitCode).toBe(3);
  expect(gone.stderr).toContain("Nobody was logged in to team");
});
