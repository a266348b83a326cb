import { chmod, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createLocalConfigFiles } from "../config/local-config-files.ts";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { CodingAgentError } from "../errors.ts";
import { AuthStore } from "./auth-store.ts";
import type { OAuthCredential } from "./credential.ts";
import { createKeyResolver, type KeyResolverOptions } from "./key-resolver.ts";
import { resolveSecret, shellSecrets } from "./resolve-secret.ts";

const CANARY = "sk-canary-123";

async function store(content?: string) {
  const path = join(await temporaryFolder(), "deep", "auth.json");
  const files = createLocalConfigFiles();
  if (content !== undefined) {
    await files.update(path, () => content);
  }
  return { path, auth: new AuthStore({ files, path }) };
}

const secrets = {
  variable: (name: string) => (name === "KEY" ? CANARY : undefined),
  command: async () => "",
};

function resolver(auth: AuthStore, options: Partial<KeyResolverOptions> = {}) {
  return createKeyResolver({ store: auth, secrets, now: () => 0, ...options });
}

test("B254: the file is 0600 and its folder 0700, also where it was readable before", async () => {
  const { path, auth } = await store();
  await auth.set("p", { type: "api_key", key: CANARY });
  expect([(await stat(path)).mode & 0o777, (await stat(join(path, ".."))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  const other = await store("{}");
  expect((await stat(other.path)).mode & 0o777).toBe(0o644);
  await other.auth.set("p", { type: "api_key", key: CANARY });
  expect((await stat(other.path)).mode & 0o777).toBe(0o600);
});

test("credentials of others and unknown fields stay when one is set or removed", async () => {
  const { path, auth } = await store(
    '{"a": {"type": "api_key", "key": "x", "note": "mine"}, "b": {"type": "new"}}',
  );
  await auth.set("c", { type: "api_key", key: "y" });
  await auth.remove("c");
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    a: { type: "api_key", key: "x", note: "mine" },
    b: { type: "new" },
  });
  expect(await auth.list()).toEqual([{ provider: "a", type: "api_key" }]);
});

test("AU-08: a broken file is refused without its content, and never overwritten", async () => {
  const { path, auth } = await store(`{"p": "${CANARY}`);
  const failures = await Promise.all([
    auth.get("p").catch((error: unknown) => error),
    auth.set("q", { type: "api_key", key: "x" }).catch((error: unknown) => error),
  ]);
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: "invalid_key" });
    expect(JSON.stringify(failure)).not.toContain(CANARY);
  }
  expect(await readFile(path, "utf8")).toBe(`{"p": "${CANARY}`);
});

test("B226: eight stores change one file at once and all keys arrive", async () => {
  const { path, auth } = await store();
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      new AuthStore({ files: createLocalConfigFiles(), path }).set(`p${index}`, {
        type: "api_key",
        key: `${index}`,
      }),
    ),
  );
  expect((await auth.list()).length).toBe(8);
});

test.each([
  ["literal", "literal"],
  ["UPPER_CASE_KEY", "UPPER_CASE_KEY"],
  ["$KEY", CANARY],
  ["$$KEY", "$KEY"],
  ["!!x", "!x"],
])("AU-04: %s stands for %s", async (text, expected) => {
  expect(await resolveSecret(text, secrets)).toBe(expected);
});

test("a command's output is the key; its failure says how it ended and nothing of what it printed", async () => {
  const { shell } = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  const command = shellSecrets({ shell, cwd: "/" });
  const run = (text: string) => resolveSecret(text, { ...secrets, command });
  expect(await run(`!echo noise >&2; echo ${CANARY}`)).toBe(CANARY);
  const failure = await run(`!echo ${CANARY}; exit 3`).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "invalid_key", message: "The command for a key ended with code 3." });
  await expect(run("!true")).rejects.toMatchObject({ code: "invalid_key" });
  await expect(run("$NOT_SET")).rejects.toMatchObject({ message: "The variable NOT_SET is not set." });
});

test("AU-04: flag over login over configuration over environment, with its source", async () => {
  const { auth } = await store('{"a": {"type": "api_key", "key": "$KEY"}}');
  const all = { flag: () => "f", configured: () => "$KEY", environment: () => "e" };
  expect(await resolver(auth, all)("a")).toEqual({ key: "f", source: "flag" });
  expect(await resolver(auth, { ...all, flag: () => undefined })("a")).toEqual({
    key: CANARY,
    source: "login",
  });
  expect(await resolver(auth, { ...all, flag: () => undefined })("b")).toEqual({
    key: CANARY,
    source: "config",
  });
  expect(await resolver(auth, { environment: () => "e" })("b")).toEqual({ key: "e", source: "environment" });
  expect(await resolver(auth)("b")).toBe(undefined);
});

test("B253: a vendor's key from the environment never goes to an address that the user gave", async () => {
  const { auth } = await store();
  expect(await resolver(auth, { environment: () => "e", hasOwnAddress: () => true })("a")).toBe(undefined);
});

test("AU-01, AU-03: an expiring login is renewed once, whoever asks, and other fields of it stay", async () => {
  const login = { type: "oauth", access: "old", refresh: "r1", expiresAtMs: 1000, account: "me" };
  const { path, auth } = await store(JSON.stringify({ p: login }));
  let refreshes = 0;
  const flow = {
    async refresh(): Promise<OAuthCredential> {
      refreshes += 1;
      return { type: "oauth", access: "new", refresh: "r2", expiresAtMs: 10 ** 12 };
    },
  };
  const resolvers = Array.from({ length: 4 }, () =>
    resolver(new AuthStore({ files: createLocalConfigFiles(), path }), { flows: { p: flow } }),
  );
  const keys = await Promise.all(resolvers.map((resolve) => resolve("p")));
  expect([keys.map((key) => key?.key), refreshes]).toEqual([["new", "new", "new", "new"], 1]);
  expect(await auth.get("p")).toMatchObject({ refresh: "r2", account: "me" });
});

test("AU-07: a login that cannot be renewed fails for its provider only and stays stored", async () => {
  const login = { type: "oauth", access: "old", refresh: "r1", expiresAtMs: 1000 };
  const { auth } = await store(JSON.stringify({ p: login, q: { type: "api_key", key: "x" } }));
  const flow = { refresh: () => Promise.reject(new Error("invalid_grant")) };
  const resolve = resolver(auth, { flows: { p: flow } });
  await expect(resolve("p")).rejects.toThrow("invalid_grant");
  expect(await resolve("q")).toEqual({ key: "x", source: "login" });
  expect(await auth.get("p")).toEqual(login);
});

test("AU-05: a key that could not be written is no key that was saved", async () => {
  const { path, auth } = await store("{}");
  await chmod(path, 0o400);
  const files = createLocalConfigFiles();
  // As root every file can be written, so that here a write goes nowhere.
  const lost = new AuthStore({ files: { read: files.read, update: async () => undefined }, path });
  await expect(lost.set("p", { type: "api_key", key: CANARY })).rejects.toMatchObject({
    code: "config_unwritable",
    message: expect.not.stringContaining(CANARY),
  });
  expect(await auth.get("p")).toBe(undefined);
});

test("AU-02: a token is stored although the lock was lost meanwhile, unless somebody logged in anew", async () => {
  const login = { type: "oauth", access: "old", refresh: "r1", expiresAtMs: 1000 };
  const renewed: OAuthCredential = { type: "oauth", access: "new", refresh: "r2", expiresAtMs: 10 ** 12 };
  for (const meanwhile of [undefined, { ...login, refresh: "mine" }]) {
    const { path } = await store(JSON.stringify({ p: login }));
    const files = createLocalConfigFiles();
    let isFirst = true;
    const sleepy = new AuthStore({
      path,
      files: {
        read: files.read,
        update: async (target, change, options) => {
          if (!isFirst) return files.update(target, change, options);
          isFirst = false;
          await change(await files.read(target));
          if (meanwhile !== undefined) await files.update(target, () => JSON.stringify({ p: meanwhile }));
          throw new CodingAgentError({ code: "config_locked", message: "lost" });
        },
      },
    });
    expect(await sleepy.exchange("p", async () => renewed)).toEqual(renewed);
    expect(await sleepy.get("p")).toMatchObject({ refresh: meanwhile?.refresh ?? "r2" });
  }
});
