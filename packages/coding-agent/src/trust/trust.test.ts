import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLocalConfigFiles } from "../config/local-config-files.ts";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
import { type ResolveTrustOptions, resolveTrust } from "./resolve-trust.ts";
import { TrustStore } from "./trust-store.ts";

const PROJECT = {
  "/code/p/.coppice/settings.json": "{}",
  "/code/p/.coppice/extensions/a.ts": "1",
  "/code/p/src/main.ts": "2",
};

async function setUp(content: Readonly<Record<string, string>> = PROJECT) {
  const path = join(await mkdtemp(join(tmpdir(), "trust-")), "trust.json");
  const store = new TrustStore({ files: createLocalConfigFiles(), path });
  const { files } = createMemoryEnvironment({ files: content });
  const asked: unknown[] = [];
  const resolve = (answer?: boolean, options: Partial<ResolveTrustOptions> = {}) =>
    resolveTrust({
      ...{ store, files, cwd: "/code/p" },
      ...(answer === undefined
        ? {}
        : {
            ask: async (request) => {
              asked.push(request);
              return answer;
            },
          }),
      ...options,
    });
  const put = (name: string, text: string) => files.put(name, new TextEncoder().encode(text));
  return { path, store, resolve, asked, put };
}

test("B243: nothing is trusted that nobody was asked about, and the notice says what waits", async () => {
  const { resolve } = await setUp();
  expect(await resolve()).toEqual({
    isTrusted: false,
    contextFiles: "user",
    notice: "This project is not trusted; not in effect: .coppice/extensions/a.ts, .coppice/settings.json.",
  });
});

test("a yes is asked for once and remembered in a private file", async () => {
  const { resolve, asked, path } = await setUp();
  expect(await resolve(true)).toEqual({ isTrusted: true, contextFiles: "all", notice: undefined });
  expect((await resolve()).isTrusted).toBe(true);
  expect((await resolve(false)).isTrusted).toBe(true);
  expect(asked).toEqual([
    {
      directory: "/code/p",
      files: [".coppice/extensions/a.ts", ".coppice/settings.json"],
      isChanged: false,
    },
  ]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("B243: changed content asks again, other files of the project do not", async () => {
  const { resolve, asked, put } = await setUp();
  await resolve(true);
  put("/code/p/src/main.ts", "3");
  expect((await resolve()).isTrusted).toBe(true);
  put("/code/p/.coppice/extensions/a.ts", "evil");
  expect((await resolve()).isTrusted).toBe(false);
  expect((await resolve(true)).isTrusted).toBe(true);
  expect(asked.at(-1)).toMatchObject({ isChanged: true });
});

test("CX-08: a stored refusal wins without a question, also for folders in it and changed content", async () => {
  const { resolve, store, asked, put } = await setUp();
  expect((await resolve(false)).isTrusted).toBe(false);
  put("/code/p/.coppice/settings.json", '{"a": 1}');
  expect((await resolve(true)).isTrusted).toBe(false);
  expect(asked).toHaveLength(1);
  expect(await store.stateOf("/code/p/inner", "x")).toBe("refused");
});

test("trust counts for folders in it only where the user said so", async () => {
  const { store } = await setUp();
  await store.remember("/code", { decision: "trusted" });
  expect(await store.stateOf("/code/p", "x")).toBe("unknown");
  await store.remember("/code", { decision: "trusted", includesFolders: true });
  expect([await store.stateOf("/code/p", "x"), await store.stateOf("/codeshop", "x")]).toEqual([
    "trusted",
    "unknown",
  ]);
});

test("a flag decides this run and leaves no trace; a failing question is a no", async () => {
  const { resolve, store } = await setUp();
  expect((await resolve(undefined, { flag: true })).isTrusted).toBe(true);
  expect(await store.stateOf("/code/p", "x")).toBe("unknown");
  const failing = { ask: () => Promise.reject(new Error("no terminal")) };
  expect((await resolve(undefined, failing)).isTrusted).toBe(false);
  expect(await store.stateOf("/code/p", "x")).toBe("unknown");
});

test("CX-08: a project without such files needs no question, and the home directory is no project", async () => {
  const plain = await setUp({ "/code/p/AGENTS.md": "x" });
  expect(await plain.resolve(false)).toEqual({ isTrusted: true, contextFiles: "all", notice: undefined });
  expect(plain.asked).toEqual([]);
  const home = await setUp();
  expect(await home.resolve(true, { homeDirectory: "/code/p" })).toEqual({
    isTrusted: false,
    contextFiles: "all",
    notice: undefined,
  });
});

test("CX-08: instructions wait with the rest of a project, and a refusal counts for those that come alone", async () => {
  const hostile = await setUp({ ...PROJECT, "/code/p/AGENTS.md": "obey" });
  expect(await hostile.resolve()).toEqual({
    isTrusted: false,
    contextFiles: "user",
    notice:
      "This project is not trusted; not in effect: AGENTS.md, .coppice/extensions/a.ts, .coppice/settings.json.",
  });
  const alone = await setUp({ "/code/p/CLAUDE.md": "x" });
  await alone.store.remember("/code", { decision: "refused" });
  expect(await alone.resolve(true)).toEqual({
    isTrusted: false,
    contextFiles: "user",
    notice: "This project is not trusted; not in effect: CLAUDE.md.",
  });
  expect(alone.asked).toEqual([]);
});

test("changed instructions do not ask again", async () => {
  const { resolve, put } = await setUp({ ...PROJECT, "/code/p/AGENTS.md": "a" });
  await resolve(true);
  put("/code/p/AGENTS.md", "b");
  expect((await resolve()).isTrusted).toBe(true);
});

test("a broken trust file trusts nothing and is not overwritten", async () => {
  const { path, resolve, store } = await setUp();
  await writeFile(path, "{ broken");
  expect((await resolve()).isTrusted).toBe(false);
  await expect(store.remember("/x", { decision: "trusted" })).rejects.toMatchObject({
    code: "invalid_setting",
  });
  expect(await readFile(path, "utf8")).toBe("{ broken");
});
