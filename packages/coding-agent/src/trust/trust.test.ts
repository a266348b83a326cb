import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createLocalConfigFiles } from "../config/local-config-files.ts";
import { createLocalFiles } from "../env/local-files.ts";
import { createMemoryEnvironment } from "../testing/memory-environment.ts";
import { type ResolveTrustOptions, resolveTrust, type TrustRequest } from "./resolve-trust.ts";
import { TrustStore } from "./trust-store.ts";

const PROJECT = {
  "/code/p/.coppice/settings.json": "{}",
  "/code/p/.coppice/extensions/a.ts": "1",
  "/code/p/src/main.ts": "2",
};

async function setUp(content: Readonly<Record<string, string>> = PROJECT) {
  const path = join(await temporaryFolder(), "trust.json");
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
      isInstructionsOnly: false,
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
  expect((await store.read()).stateOf("/code/p/inner", "x")).toBe("refused");
});

test("trust counts for folders in it only where the user said so", async () => {
  const { store } = await setUp();
  await store.remember("/code", { decision: "trusted" });
  expect((await store.read()).stateOf("/code/p", "x")).toBe("unknown");
  await store.remember("/code", { decision: "trusted", includesFolders: true });
  expect([
    (await store.read()).stateOf("/code/p", "x"),
    (await store.read()).stateOf("/codeshop", "x"),
  ]).toEqual(["trusted", "unknown"]);
});

test("a flag decides this run and leaves no trace; a failing question is a no", async () => {
  const { resolve, store } = await setUp();
  expect((await resolve(undefined, { flag: true })).isTrusted).toBe(true);
  expect((await store.read()).stateOf("/code/p", "x")).toBe("unknown");
  const failing = { ask: () => Promise.reject(new Error("no terminal")) };
  expect((await resolve(undefined, failing)).isTrusted).toBe(false);
  expect((await store.read()).stateOf("/code/p", "x")).toBe("unknown");
});

test("a flag that trusts reads nothing of the project, and its home is none for it either", async () => {
  const { store, resolve } = await setUp();
  const { files } = createMemoryEnvironment({ files: PROJECT });
  const reads = (["stat", "readDirectory", "readRange", "readFile"] as const).map((name) =>
    vi.spyOn(files, name),
  );
  const readStore = vi.spyOn(store, "read");
  expect((await resolve(undefined, { flag: true, files })).isTrusted).toBe(true);
  for (const call of [...reads, readStore]) expect(call).not.toHaveBeenCalled();
  expect((await resolve(undefined, { flag: true, homeDirectory: "/code/p" })).isTrusted).toBe(false);
  expect((await resolve(true, { flag: false })).notice).toContain(".coppice/extensions/a.ts");
});

const NOTHING = { isTrusted: false, contextFiles: "above", notice: undefined };

test("CX-08: a project that brings nothing needs no question, and the home directory is no project", async () => {
  const plain = await setUp({ "/code/p/src/main.ts": "x" });
  expect(await plain.resolve(false)).toEqual(NOTHING);
  const home = await setUp({ ...PROJECT, "/code/p/AGENTS.md": "mine", "/code/p/deep/x": "" });
  expect(await home.resolve(true, { homeDirectory: "/code/p" })).toEqual(NOTHING);
  // What the user has at home is the user's own in every project there.
  expect(await home.resolve(true, { homeDirectory: "/code/p", cwd: "/code/p/deep" })).toEqual(NOTHING);
  expect([...plain.asked, ...home.asked]).toEqual([]);
});

test("CX-08: instructions that come alone are asked about like all else, and wait where nobody can be asked", async () => {
  const { resolve, asked, put } = await setUp({ "/code/p/AGENTS.md": "x" });
  expect(await resolve()).toEqual({
    ...{ isTrusted: false, contextFiles: "user" },
    notice: "This project is not trusted; not in effect: AGENTS.md.",
  });
  expect(await resolve(true)).toEqual({ isTrusted: true, contextFiles: "all", notice: undefined });
  expect(asked).toEqual([
    { directory: "/code/p", files: ["AGENTS.md"], isInstructionsOnly: true, isChanged: false },
  ]);
  expect((await resolve()).isTrusted).toBe(true);
  put("/code/p/.coppice/settings.json", "{}");
  expect((await resolve()).contextFiles).toBe("user");
});

test("CX-08: instructions of the folders above are asked about too, unless their own folder is trusted", async () => {
  const content = { "/code/AGENTS.md": "x", "/code/p/src/main.ts": "", "/code/p/CLAUDE.md": "y" };
  const { resolve, asked, store } = await setUp(content);
  expect((await resolve(undefined, { cwd: "/code/p/src" })).notice).toContain(
    "../CLAUDE.md, ../../AGENTS.md.",
  );
  await store.remember("/code", { decision: "trusted", fingerprint: "x" });
  expect((await resolve(undefined, { cwd: "/code/p/src" })).notice).toContain("not in effect: ../CLAUDE.md.");
  await store.remember("/code/p", { decision: "trusted", fingerprint: "x" });
  expect(await resolve(undefined, { cwd: "/code/p/src" })).toEqual(NOTHING);
  expect(asked).toEqual([]);
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

test("B243: what an extension imports from elsewhere is part of what is trusted", async () => {
  const { resolve, asked, put } = await setUp({
    "/code/p/.coppice/extensions/a.ts": [
      'import { b } from "../../lib/b.js";',
      "const c = await import('../../lib/c');",
      'export * from "/abs/d.mjs";',
      'import "some-package"; import x from "./missing.ts";',
    ].join("\n"),
    "/code/p/lib/b.ts": 'require("./deep"); import "./b.js";',
    "/code/p/lib/deep/index.js": "1",
    "/code/p/lib/c.json": "{}",
    "/abs/d.mjs": "",
    "/code/p/lib/other.ts": "",
  });
  await resolve(true);
  expect(asked).toMatchObject([
    {
      files: [
        ...["../../abs/d.mjs", ".coppice/extensions/a.ts"],
        ...["lib/b.ts", "lib/c.json", "lib/deep/index.js"],
      ],
    },
  ]);
  put("/code/p/lib/other.ts", "2");
  expect((await resolve()).isTrusted).toBe(true);
  put("/code/p/lib/deep/index.js", "2");
  expect((await resolve()).isTrusted).toBe(false);
});

test("B243: folders that the settings name in the project are part of what is trusted", async () => {
  const { resolve, put } = await setUp({
    "/code/p/.coppice/settings.json":
      '{ "skills": ["../docs/skills", "/elsewhere"], // mine\n "prompts": ["own"] }',
    "/code/p/docs/skills/a/SKILL.md": "1",
  });
  await resolve(true);
  put("/elsewhere/b/SKILL.md", "1");
  expect((await resolve()).isTrusted).toBe(true);
  put("/code/p/docs/skills/a/SKILL.md", "2");
  expect((await resolve()).isTrusted).toBe(false);
});

test("B243: folders of the project count however the settings name them: by the home, or through a link", async () => {
  const root = await temporaryFolder();
  const [home, project] = [join(root, "home"), join(root, "home/code/p")];
  await mkdir(join(project, ".coppice"), { recursive: true });
  await symlink(home, join(root, "link"));
  const names = ["by-home", "by-link", "aside"];
  for (const name of names) await mkdir(join(project, name), { recursive: true });
  await symlink(join(root, "link/code/p/aside"), join(root, "elsewhere"));
  const skills = ["~/code/p/by-home", join(root, "link/code/p/by-link"), join(root, "elsewhere")];
  await writeFile(join(project, ".coppice/settings.json"), JSON.stringify({ skills }));
  const store = new TrustStore({ files: createLocalConfigFiles(), path: join(root, "trust.json") });
  const files = createLocalFiles({ newSuffix: () => "1" });
  const asked: (readonly string[])[] = [];
  const ask = async (request: TrustRequest) => asked.push(request.files) > 0;
  // The way to the home is a link too.
  const options = { store, files, cwd: project, homeDirectory: join(root, "link"), ask };
  for (const name of names) {
    await writeFile(join(project, name, "SKILL.md"), "1");
    await resolveTrust(options);
  }
  expect(asked.at(-1)).toEqual([
    ".coppice/settings.json",
    ...names.toSorted().map((name) => `${name}/SKILL.md`),
  ]);
  expect(asked).toHaveLength(3);
});

test("one answer comes from one reading of trust.json, however many folders have instructions", async () => {
  const read = vi.fn(async () => '{"/": {"decision": "trusted"}}');
  const store = new TrustStore({ files: { ...createLocalConfigFiles(), read }, path: "/trust.json" });
  const { resolve } = await setUp({ ...PROJECT, "/AGENTS.md": "a", "/code/AGENTS.md": "b" });
  const { notice } = await resolve(undefined, { store });
  expect(notice).toBe(
    "This project is not trusted; not in effect: ../AGENTS.md, .coppice/extensions/a.ts, .coppice/settings.json.",
  );
  expect(read).toHaveBeenCalledTimes(1);
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

test.each([
  { name: "no JSON", text: '{\n  "/code/p": oops\n}', why: "line 2, column 14: an invalid symbol" },
  { name: "no object", text: "[]", why: "it must be an object" },
])(
  "CL-17: a trust.json that is $name is named, and an answer counts for the run alone",
  async ({ text, why }) => {
    const { path, resolve, asked } = await setUp();
    await writeFile(path, text);
    const storeProblem = `${path} is not used: ${why}.`;
    expect(await resolve()).toMatchObject({ isTrusted: false, storeProblem });
    expect(await resolve(true)).toMatchObject({ isTrusted: true, storeProblem });
    expect(await resolve(false)).toMatchObject({ isTrusted: false, storeProblem });
    expect(asked).toHaveLength(2);
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

test("CL-17: a trust.json that cannot be read stops nothing", async () => {
  const { path, resolve } = await setUp();
  await mkdir(path);
  expect(await resolve(true)).toMatchObject({ isTrusted: true, storeProblem: expect.stringContaining(path) });
});
