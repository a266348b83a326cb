import { expect, test } from "vitest";
import type { FileSystem } from "../../env/environment.ts";
import { changedFiles } from "../../testing/changed-files.ts";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { createBuiltinTools } from "../builtin-tools.ts";
import { FileLedger } from "../file-ledger.ts";
import { FileIndex } from "./file-index.ts";

test("a command names the files that it made, changed and removed, and no others", async () => {
  const initial = { "/w/.gitignore": "ignored", "/w/a": "a", "/w/b": "b", "/w/same": "s", "/w/sub/c": "c" };
  const environment = createMemoryEnvironment({
    files: initial,
    shell: {
      run: async () => {
        environment.files.put("/w/a", new TextEncoder().encode("changed"));
        environment.files.put("/w/new", new Uint8Array());
        environment.files.put("/w/ignored", new Uint8Array());
        environment.files.remove("/w/sub/c");
        return { exitCode: 0, signal: undefined, reason: "exited" };
      },
    },
  });
  const tools = createBuiltinTools({ cwd: "/w", environment });
  const call = async (name: string, params: object) => {
    const tool = tools.find((one) => one.name === name);
    return tool === undefined ? undefined : runTool(tool, params);
  };
  expect((await call("bash", { command: "x" }))?.details).toEqual({
    exitCode: 0,
    durationMs: 0,
    modifiedFiles: ["a", "new", "sub/c"],
  });
  environment.files.put("/w/sub/c", new Uint8Array());
  await call("write", { path: "b", content: "by the agent itself" });
  expect((await call("bash", { command: "x" }))?.details).toMatchObject({ modifiedFiles: ["a", "new"] });
});

test("a first scan that was aborted is made up for by the next command", async () => {
  const environment = createMemoryEnvironment({ files: { "/w/a": "a" } });
  const index = new FileIndex({ cwd: "/w", environment, ledger: new FileLedger(environment.files) });
  await index.prepare(AbortSignal.abort(), { isExact: false });
  expect(await index.changes(new AbortController().signal)).toEqual([]);
  await index.prepare(new AbortController().signal, { isExact: false });
  environment.files.put("/w/b", new Uint8Array());
  const changes = await index.changes(new AbortController().signal);
  expect(changes.map(({ path }) => path)).toEqual(["b"]);
});

test("a tree of too many files is scanned once, and never reported on", async () => {
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`/w/${at}`, ""]));
  const { files, ...rest } = createMemoryEnvironment({ files: many });
  let scans = 0;
  const counted = changedFiles(files, {
    readDirectory: (path: string) => {
      scans++;
      return files.readDirectory(path);
    },
  });
  const index = new FileIndex({
    ...{ cwd: "/w", environment: { ...rest, files: counted } },
    ledger: new FileLedger(files),
  });
  const { signal } = new AbortController();
  for (const _ of [1, 2]) {
    await index.prepare(signal, { isExact: false });
    expect(await index.changes(signal)).toEqual([]);
  }
  expect(scans).toBe(1);
});

test("a large tree that is slow to look through three times in a row is left alone from then on", async () => {
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`/w/${at}`, ""]));
  const environment = createMemoryEnvironment({ files: many });
  let now = 0;
  let isSlow = true;
  const { files, ...rest } = environment;
  const slow: FileSystem = {
    ...{ stat: (path) => files.stat(path), readFile: (path) => files.readFile(path) },
    ...{ readRange: (path, from, length) => files.readRange(path, from, length) },
    ...{ writeFile: (path, data) => files.writeFile(path, data), realPath: (path) => files.realPath(path) },
    statAll: async (folder, names) => {
      const infos = names.map(async (name) => [name, await files.stat(`${folder}/${name}`)] as const);
      return new Map(await Promise.all(infos));
    },
    readDirectory: (path) => {
      if (isSlow) now += 300;
      return files.readDirectory(path);
    },
  };
  const index = new FileIndex({
    ...{ cwd: "/w", environment: { ...rest, files: slow }, clock: () => now },
    ledger: new FileLedger(files),
  });
  const { signal } = new AbortController();
  const changed = async (name: string) => {
    await index.prepare(signal, { isExact: false });
    files.put(`/w/${name}`, new Uint8Array());
    return (await index.changes(signal)).map(({ path }) => path);
  };
  expect(await changed("b")).toEqual(["b"]);
  isSlow = false;
  expect(await changed("c")).toEqual(["c"]);
  isSlow = true;
  expect([await changed("d"), await changed("e"), await changed("f"), await changed("g")]).toEqual([
    ["d"],
    ["e"],
    [],
    [],
  ]);
});
