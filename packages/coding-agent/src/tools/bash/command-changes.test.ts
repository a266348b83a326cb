import { expect, test } from "vitest";
import { createFileTree } from "../../file-tree/create-file-tree.ts";
import { changedFiles } from "../../testing/changed-files.ts";
import { createMemoryEnvironment } from "../../testing/memory-environment.ts";
import { runTool } from "../../testing/run-tool.ts";
import { createBuiltinTools } from "../builtin-tools.ts";
import { FileLedger } from "../file-ledger.ts";
import { CommandChanges } from "./command-changes.ts";

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

test("a first look that was aborted is made up for by the next command", async () => {
  const environment = createMemoryEnvironment({ files: { "/w/a": "a" } });
  const tree = createFileTree({ cwd: "/w", environment });
  const look = new CommandChanges({ cwd: "/w", tree, ledger: new FileLedger(environment.files) });
  const changed = async () => (await look.after()).changes.map(({ path }) => path);
  await look.before(AbortSignal.abort(), { isExact: false });
  expect(await changed()).toEqual([]);
  await look.before(new AbortController().signal, { isExact: false });
  environment.files.put("/w/b", new Uint8Array());
  expect(await changed()).toEqual(["b"]);
});

test("a tree of too many files that are read one by one is looked at once, and never reported on", async () => {
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`/w/${at}`, ""]));
  const { files, ...rest } = createMemoryEnvironment({ files: many });
  let reads = 0;
  const counted = changedFiles(files, {
    readDirectory: (path: string) => {
      if (path === "/w") reads++;
      return files.readDirectory(path);
    },
  });
  const tree = createFileTree({ cwd: "/w", environment: { ...rest, files: counted } });
  const look = new CommandChanges({ cwd: "/w", tree, ledger: new FileLedger(files) });
  await look.before(new AbortController().signal, { isExact: true });
  const afterOne = reads;
  for (const _ of [1, 2]) {
    expect((await look.after()).changes).toEqual([]);
    await look.before(new AbortController().signal, { isExact: true });
  }
  expect(reads).toBe(afterOne);
});
