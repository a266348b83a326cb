import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "./env.ts";
import { loadKeys } from "./keys.ts";

test("AU-02: whoever ends the program hears of a renewal while it is under way, and when its token is stored", async () => {
  const folder = await mkdtemp(join(tmpdir(), "coppice-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => asked.resolve(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const authFile = join(folder, "auth.json");
  const team = { type: "oauth", access: "old", refresh: "r1", expiresAtMs: 1 };
  await writeFile(authFile, JSON.stringify({ team }), { mode: 0o600 });
  const renewals: Promise<void>[] = [];
  const keys = await loadKeys({
    ...{ environment: readEnvironment({}), userDirectory: folder, authFile, declared: new Map() },
    logins: new Map([["team", { clientId: "c", tokenUrl }]]),
    onRenewal: (stored) => renewals.push(stored),
  });
  const key = keys.keyFor("team");
  const response = await asked.promise;
  expect(renewals).toHaveLength(1);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ access_token: "new", refresh_token: "r2", expires_in: 3600 }));
  await renewals[0];
  expect(JSON.parse(await readFile(authFile, "utf8")).team).toMatchObject({ access: "new", refresh: "r2" });
  expect(await key).toBe("new");
  expect(await keys.keyFor("team")).toBe("new");
  expect(renewals).toHaveLength(1);
});
