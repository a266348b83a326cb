import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AuthStore, createKeyResolver, createLocalConfigFiles, createTokenFlow } from "@coppice/coding-agent";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const CANARY = "canary-refresh-1";

/** A token server on loopback; returns its address and the bodies of the requests that it got. */
async function tokenServer(
  answer: (response: ServerResponse, count: number, request: IncomingMessage) => void | Promise<void>,
) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    await answer(response, bodies.length, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, bodies };
}

const json = (response: ServerResponse, status: number, value: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const TOKEN = { access_token: "access-2", refresh_token: "refresh-2", expires_in: 3600 };

async function authFile(): Promise<string> {
  const path = join(await temporaryFolder(), "auth.json");
  const login = { type: "oauth", access: "access-1", refresh: CANARY, expiresAtMs: 1, account: "me" };
  await writeFile(path, JSON.stringify({ p: login, q: { type: "api_key", key: "x" } }), { mode: 0o600 });
  return path;
}

function renewingProcess(path: string, url: string) {
  const script = fileURLToPath(new URL("./renewing-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@coppice/source", script, path, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = once(child, "close").then(([code]) => ({ code, text: text.trim() }));
  return { child, ended };
}

test("AU-01, AU-03: four processes with one expired token renew it once, and all get the new one", async () => {
  const { url, bodies } = await tokenServer((response) => void json(response, 200, TOKEN));
  const path = await authFile();
  const processes = Array.from({ length: 4 }, () => renewingProcess(path, url));
  const outcomes = await Promise.all(processes.map(({ ended }) => ended));
  expect(outcomes).toEqual(outcomes.map(() => ({ code: 0, text: "access-2" })));
  expect(bodies).toEqual([`grant_type=refresh_token&client_id=c&refresh_token=${CANARY}`]);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    p: {
      ...{ type: "oauth", access: "access-2", refresh: "refresh-2", account: "me" },
      expiresAtMs: expect.any(Number),
    },
    q: { type: "api_key", key: "x" },
  });
}, 120_000);

test("AU-02: a new refresh token is stored although the process was told to end before it came", async () => {
  let child: ReturnType<typeof renewingProcess>["child"] | undefined;
  const { url } = await tokenServer((response) => {
    // The server has given the old token up by now.
    child?.kill("SIGTERM");
    setTimeout(() => json(response, 200, TOKEN), 300);
  });
  const path = await authFile();
  const renewing = renewingProcess(path, url);
  child = renewing.child;
  // Both ends are orderly: by the signal's handler, or because the work was done before the signal came.
  expect([0, 143]).toContain((await renewing.ended).code);
  expect(JSON.parse(await readFile(path, "utf8")).p).toMatchObject({ refresh: "refresh-2" });
}, 120_000);

test("AU-01: who only reads does not wait for a renewal", async () => {
  const waiting = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { url } = await tokenServer(async (response) => {
    asked.resolve();
    await waiting.promise;
    json(response, 200, TOKEN);
  });
  const path = await authFile();
  const store = new AuthStore({ files: createLocalConfigFiles(), path });
  const flow = createTokenFlow({ provider: "p", tokenUrl: url, clientId: "c", fetch, now: Date.now });
  const resolve = createKeyResolver({
    ...{ store, flows: { p: flow }, now: Date.now },
    secrets: { variable: () => undefined, command: async () => "" },
  });
  const renewed = resolve("p");
  await asked.promise;
  expect(await resolve("q")).toEqual({ key: "x", source: "login" });
  expect((await store.list()).length).toBe(2);
  waiting.resolve();
  expect((await renewed)?.key).toBe("access-2");
});

test.each([
  {
    name: "AU-07: a login that is over names the way out",
    answer: (response: ServerResponse) =>
      json(response, 400, { error: "invalid_grant", error_description: CANARY }),
    message: "The login of p is no longer good (invalid_grant). Log in to p again.",
    failure: { code: "invalid_key", data: { provider: "p", status: 400, reason: "invalid_grant" } },
  },
  {
    name: "a server that fails",
    answer: (response: ServerResponse) => response.writeHead(503).end(CANARY),
    message: "The login of p could not be renewed: no reason given (status 503).",
    failure: { code: "overloaded", status: 503, retryable: true },
  },
  {
    name: "a server that is asked too often",
    answer: (response: ServerResponse) => json(response, 429, { error: "slow_down" }),
    message: "The login of p could not be renewed: slow_down (status 429).",
    failure: { code: "rate_limited", status: 429, retryable: true },
  },
  {
    name: "a server that takes no such client",
    answer: (response: ServerResponse) => json(response, 401, { error: "invalid_client" }),
    message: "The login of p could not be renewed: invalid_client (status 401).",
    failure: { code: "invalid_key", data: { provider: "p", status: 401, reason: "invalid_client" } },
  },
  {
    name: "an answer without a token",
    answer: (response: ServerResponse) => json(response, 200, { note: CANARY }),
    message: "The login of p could not be renewed: no access token (status 200).",
    failure: { code: "invalid_key", data: { provider: "p", status: 200 } },
  },
])(
  "$name, AU-08: and says nothing of the token; the login stays stored",
  async ({ answer, message, failure: fields }) => {
    const { url } = await tokenServer((response) => void answer(response));
    const path = await authFile();
    const before = await readFile(path, "utf8");
    const store = new AuthStore({ files: createLocalConfigFiles(), path });
    const flow = createTokenFlow({ provider: "p", tokenUrl: url, clientId: "c", fetch, now: Date.now });
    const failure = await store
      .exchange("p", (stored) => flow.refresh(stored, AbortSignal.timeout(20_000)))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ ...fields, message });
    expect(JSON.stringify(failure)).not.toContain(CANARY);
    expect(await readFile(path, "utf8")).toBe(before);
  },
);

test("a token server that cannot be reached is told as the network's failure, with its host", async () => {
  const gone = createServer();
  gone.listen(0, "127.0.0.1");
  await once(gone, "listening");
  const host = `127.0.0.1:${(gone.address() as AddressInfo).port}`;
  gone.close();
  await once(gone, "close");
  const login = { type: "oauth", access: "a", refresh: CANARY, expiresAtMs: 1 } as const;
  const flow = createTokenFlow({
    ...{ provider: "p", tokenUrl: `http://${host}/token`, clientId: "c", fetch, now: Date.now },
  });
  await expect(flow.refresh(login, AbortSignal.timeout(20_000))).rejects.toMatchObject({
    ...{ code: "network", retryable: true },
    message: `The login of p could not be renewed: ${host} cannot be reached (ECONNREFUSED).`,
    advice: expect.stringContaining(host),
  });
  const { url } = await tokenServer(() => {});
  const silent = createTokenFlow({ provider: "p", tokenUrl: url, clientId: "c", fetch, now: Date.now });
  await expect(silent.refresh(login, AbortSignal.timeout(1))).rejects.toMatchObject({
    ...{ code: "timeout", message: expect.stringContaining("did not answer in time") },
  });
});

test("AU-09: a token goes to https or to this machine only, and never along with a redirect", async () => {
  const of = (tokenUrl: string) => () =>
    createTokenFlow({ provider: "p", tokenUrl, clientId: "c", fetch, now: Date.now });
  for (const url of [
    "http://example.com/t",
    "ftp://example.com/t",
    "file:///t",
    "javascript:x",
    "t",
    "http://localhost.example.com/t",
  ]) {
    expect(of(url)).toThrow("is neither https nor http on this machine");
  }
  expect(of("https://example.com/t")).not.toThrow();
  const elsewhere = await tokenServer((response) => void json(response, 200, TOKEN));
  const { url } = await tokenServer((response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
  });
  await expect(
    of(url)().refresh(
      { type: "oauth", access: "a", refresh: CANARY, expiresAtMs: 1 },
      AbortSignal.timeout(20_000),
    ),
  ).rejects.toThrow();
  expect(elsewhere.bodies).toEqual([]);
});
