import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { errorCode } from "../tools/tool-error.ts";
import { createFileTree } from "./create-file-tree.ts";
import type { FileTree, TreeChange } from "./file-tree.ts";
import { IndexedTree } from "./indexed-tree.ts";
import { localReader } from "./local-reader.ts";
import { LocalTree } from "./local-tree.ts";
import { ReadingCrew } from "./reading-crew.ts";
import { TreeIndex } from "./tree-index.ts";

const environment = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
const { openTree: _, ...onlyPorts } = environment;
const { files } = environment;
const limits = { maxFiles: 100, maxBytes: 1_000_000, maxFileBytes: 1000 };

/** A folder for one test, and where it lies. */
function newFolder(): { readonly cwd: string; readonly outside: string } {
  const outside = mkdtempSync(join(tmpdir(), "coppice-tree-"));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const cwd = join(outside, "project");
  mkdirSync(cwd);
  return { cwd, outside };
}

function opened<Tree extends FileTree>(tree: Tree): Tree {
  onTestFinished(() => tree.close());
  return tree;
}

const kinds: readonly (readonly [name: string, open: (cwd: string) => FileTree])[] = [
  ["read through ports", (cwd) => createFileTree({ cwd, environment: onlyPorts })],
  ["small", (root) => new LocalTree({ root })],
  ["in a thread", (root) => new LocalTree({ root, maxFilesHere: 0 })],
  [
    "watched here",
    (root) => new IndexedTree({ root, files, reader: localReader, maxFiles: 10_000, isWatched: true }),
  ],
  [
    "read by several threads",
    (root) =>
      new IndexedTree({
        ...{ root, files, reader: localReader, maxFiles: 10_000, isWatched: true },
        firstReader: new ReadingCrew({ threadCount: 2, enoughFolders: 1 }),
      }),
  ],
];

function put(cwd: string, contents: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
}

/** `+` made, `-` gone, else changed. */
function shown(changes: readonly TreeChange[] | undefined): readonly string[] | undefined {
  return changes
    ?.map(
      ({ path, before, after }) => `${path}${before === undefined ? " +" : after === undefined ? " -" : ""}`,
    )
    .toSorted();
}

describe.each(kinds)("a tree %s", (_kind, open) => {
  async function watched(contents: Readonly<Record<string, string>>) {
    const { cwd, outside } = newFolder();
    put(cwd, contents);
    const tree = opened(open(cwd));
    expect(await tree.baseline({ isExact: true })).toEqual([]);
    const changes = async () => shown(await tree.changes());
    return { cwd, outside, tree, changes, at: (name: string) => join(cwd, name) };
  }

  test("names what was made, changed and removed since the last look, once", async () => {
    const { cwd, changes, at } = await watched({ a: "a", gone: "g", "d/b": "b", "d/same": "s" });
    put(cwd, { a: "changed", "d/b": "c", new: "", "x/y/z/new": "" });
    rmSync(at("gone"));
    expect(await changes()).toEqual(["a", "d/b", "gone -", "new +", "x/y/z/new +"]);
    expect(await changes()).toEqual([]);
    put(cwd, { "x/y/z/new": "more" });
    rmSync(at("d"), { recursive: true });
    expect(await changes()).toEqual(["d/b -", "d/same -", "x/y/z/new"]);
  });

  test("a change of mode, and of content at the same size and time, are changes", async () => {
    const { cwd, changes, at } = await watched({ run: "#!", kept: "one" });
    chmodSync(at("run"), 0o755);
    const { atime, mtime } = lstatSync(at("kept"));
    put(cwd, { kept: "two" });
    utimesSync(at("kept"), atime, mtime);
    expect(await changes()).toEqual(["kept", "run"]);
  });

  test("folders that are moved, replaced, or become something else are followed", async () => {
    const { cwd, changes, at, outside } = await watched({ "a/x/1": "1", "b/2": "2", "c/3": "3", f: "f" });
    renameSync(at("a"), at("moved"));
    rmSync(at("b"), { recursive: true });
    put(cwd, { "b/2": "other" });
    rmSync(at("c"), { recursive: true });
    symlinkSync(outside, at("c"));
    rmSync(at("f"));
    put(cwd, { "f/in": "" });
    expect(await changes()).toEqual(["a/x/1 -", "b/2", "c/3 -", "f -", "f/in +", "moved/x/1 +"]);
    put(cwd, { "moved/x/1": "more", "b/2": "and more", "b/new": "", "f/in": "more" });
    rmSync(at("c"));
    put(cwd, { c: "a file" });
    expect(await changes()).toEqual(["b/2", "b/new +", "c +", "f/in", "moved/x/1"]);
  });

  test("ignored files, links and .git are not in it; what becomes ignored is not gone", async () => {
    const { cwd, changes, at } = await watched({
      ".gitignore": "*.log\nbuild/\n",
      "d/.gitignore": "!kept.log\n",
      "d/kept.log": "",
      ".git/config": "",
      "build/out": "",
      later: "",
    });
    put(cwd, { "a.log": "", "d/kept.log": "k", "build/out": "more", ".git/config": "more", ".hidden": "" });
    symlinkSync(at("later"), at("link"));
    expect(await changes()).toEqual([".hidden +", "d/kept.log"]);
    put(cwd, { ".gitignore": "later\n", "a.log": "now seen" });
    expect(await changes()).toEqual([".gitignore", "a.log +", "build/out +"]);
    put(cwd, { later: "unseen", "build/out": "seen" });
    expect(await changes()).toEqual(["build/out"]);
  });

  test("what became different between two commands is told before the next one", async () => {
    const { cwd, tree, changes } = await watched({ a: "a" });
    put(cwd, { a: "theirs", b: "theirs" });
    expect(shown(await tree.baseline({ isExact: true }))).toEqual(["a", "b +"]);
    put(cwd, { b: "the command's" });
    expect(await changes()).toEqual(["b"]);
  });

  test("files that git does not keep are handed out once for each version, and the large ones never", async () => {
    const { cwd } = newFolder();
    put(cwd, { clean: "clean" });
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["add", "."], { cwd });
    put(cwd, { new: "new", large: "x".repeat(1001) });
    const tree = opened(open(cwd));
    const unkept = async () => (await tree.takeUnkept(limits)).map(({ path }) => path).toSorted();
    tree.warm();
    expect([await unkept(), await unkept()]).toEqual([["new"], []]);
    put(cwd, { clean: "not any more", new: "newer" });
    await tree.baseline({ isExact: true });
    expect(await unkept()).toEqual(["clean", "new"]);
    execFileSync("git", ["rm", "-q", "--cached", "-f", "clean"], { cwd });
    await tree.changes();
    expect(await unkept()).not.toContain("large");
  });

  test("a change names the object that holds what the file was", async () => {
    const { cwd } = newFolder();
    put(cwd, { clean: "clean" });
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["add", "."], { cwd });
    const id = execFileSync("git", ["hash-object", "clean"], { cwd, encoding: "utf8" }).trim();
    const tree = opened(open(cwd));
    await tree.baseline({ isExact: true });
    put(cwd, { clean: "changed and added" });
    execFileSync("git", ["add", "."], { cwd });
    expect((await tree.changes())?.map(({ path, objectId }) => [path, objectId])).toEqual([["clean", id]]);
  });

  test("a folder that goes and comes again is read again", async () => {
    const { cwd, changes } = await watched({ a: "a", "d/b": "b" });
    rmSync(cwd, { recursive: true });
    expect(await changes()).toEqual(["a -", "d/b -"]);
    put(cwd, { "d/c": "" });
    expect(await changes()).toEqual(["d/c +"]);
    put(cwd, { "d/c": "c", e: "" });
    expect(await changes()).toEqual(["d/c", "e +"]);
    rmSync(cwd, { recursive: true });
    put(cwd, { "d/f": "" });
    expect(await changes()).toEqual(["d/c -", "d/f +", "e -"]);
  });
});

test("after any steps a watched tree tells what a look at everything tells", async () => {
  const names = ["a", "b", "c"];
  const path = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/"));
  const step = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), path, text: fc.constantFrom("", "x", "xyz") }),
    fc.record({ kind: fc.constant("remove" as const), path }),
    fc.record({ kind: fc.constant("move" as const), path, to: path }),
    fc.record({ kind: fc.constant("ignore" as const), path, text: fc.constantFrom("a\n", "c/\n", "") }),
    fc.record({ kind: fc.constant("look" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const cwd = mkdtempSync(join(tmpdir(), "coppice-tree-steps-"));
      const options = { root: cwd, files, reader: localReader, maxFiles: 10_000 };
      const [watching, reading] = [true, false].map(
        (isWatched) => new IndexedTree({ ...options, isWatched }),
      );
      try {
        const look = async () => [shown(await watching?.changes()), shown(await reading?.changes())];
        await Promise.all([watching, reading].map((tree) => tree?.baseline({ isExact: true })));
        for (const one of [...steps, { kind: "look" as const }]) {
          if (one.kind !== "look") {
            take(cwd, one);
            continue;
          }
          const [told, read] = await look();
          expect(told).toEqual(read);
        }
      } finally {
        await watching?.close();
        await reading?.close();
        rmSync(cwd, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
});

type Step =
  | { readonly kind: "put" | "ignore"; readonly path: string; readonly text: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

const IN_THE_WAY: readonly string[] = ["EEXIST", "ENOTDIR", "EISDIR", "ENOENT", "ENOTEMPTY", "EINVAL"];

/** Does what can be done; a path that is in the way stays. */
function take(cwd: string, step: Step): void {
  const at = join(cwd, step.path);
  try {
    if (step.kind === "remove") rmSync(at, { recursive: true, force: true });
    else if (step.kind === "move") renameSync(at, join(cwd, step.to));
    else put(cwd, { [step.kind === "put" ? step.path : `${dirname(step.path)}/.gitignore`]: step.text });
  } catch (error) {
    if (!IN_THE_WAY.includes(errorCode(error) ?? "")) throw error;
  }
}

describe("what the system does not report", () => {
  test.runIf(process.platform === "linux").each([
    ["here", false],
    ["in a thread", true],
  ])("is found by a look at everything (%s)", async (_name, isInThread) => {
    const { cwd, outside } = newFolder();
    put(cwd, { linked: "one", seen: "one" });
    // Written by its other name it is changed without a word about this one.
    linkSync(join(cwd, "linked"), join(outside, "other-name"));
    const options = { root: cwd, files, reader: localReader, maxFiles: 100, isWatched: true };
    const tree = opened(
      isInThread ? new LocalTree({ root: cwd, maxFilesHere: 0 }) : new IndexedTree(options),
    );
    await tree.baseline({ isExact: true });
    writeFileSync(join(outside, "other-name"), "by the other name");
    put(cwd, { seen: "two" });
    expect(shown(await tree.changes())).toEqual(["seen"]);
    const untilMs = Date.now() + 1000;
    expect(shown(await tree.verify({ untilMs }))).toEqual(["linked"]);
    expect(shown(await tree.verify({ untilMs }))).toEqual([]);
    expect(shown(await tree.changes())).toEqual([]);
  });

  test("a look at everything waits while a command has way", async () => {
    const { cwd, outside } = newFolder();
    put(cwd, Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}/file`, ""])));
    put(cwd, { linked: "one" });
    linkSync(join(cwd, "linked"), join(outside, "other-name"));
    const options = { root: cwd, files, reader: localReader, maxFiles: 1000, isWatched: true };
    const tree = opened(new IndexedTree(options));
    await tree.baseline({ isExact: true });
    writeFileSync(join(outside, "other-name"), "by the other name");
    const order: string[] = [];
    tree.giveWay();
    const verified = tree.verify({ untilMs: Date.now() + 1000 }).then((found) => {
      order.push("verified");
      return found;
    });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    order.push("command");
    expect(await tree.changes()).toEqual([]);
    expect(shown(await verified)).toEqual(["linked"]);
    expect(order).toEqual(["command", "verified"]);
  });

  test("a later change is left for the next look", async () => {
    const { cwd, outside } = newFolder();
    put(cwd, { linked: "one" });
    linkSync(join(cwd, "linked"), join(outside, "other-name"));
    const options = { root: cwd, files, reader: localReader, maxFiles: 100, isWatched: true };
    const tree = opened(new IndexedTree(options));
    await tree.baseline({ isExact: true });
    writeFileSync(join(outside, "other-name"), "by the other name");
    expect(await tree.verify({ untilMs: 0 })).toEqual([]);
    expect(shown(await tree.changes())).toEqual(["linked"]);
  });

  test.runIf(process.platform === "linux")("more events than the system keeps lose nothing", async () => {
    const { cwd } = newFolder();
    put(cwd, { "d/kept": "" });
    const options = { root: cwd, files, reader: localReader, maxFiles: 100, isWatched: true };
    const tree = opened(new IndexedTree(options));
    await tree.baseline({ isExact: true });
    // Nothing is read meanwhile, so that what comes last does not fit any more.
    for (let at = 0; at < 9000; at++) {
      writeFileSync(join(cwd, "d", `${at % 2}`), "");
      rmSync(join(cwd, "d", `${at % 2}`));
    }
    put(cwd, { "d/kept": "changed", "e/new": "" });
    expect(shown(await tree.changes())).toEqual(["d/kept", "e/new +"]);
    put(cwd, { "e/new": "changed" });
    expect(shown(await tree.changes())).toEqual(["e/new"]);
  });
});

test("git's own files and the folders above say what is ignored, as for a search", async () => {
  const { cwd, outside } = newFolder();
  put(outside, {
    ".gitignore": "/project/top\nany\n",
    "home/.gitconfig": "[core]\n\texcludesFile = ~/.ignored\n",
    "home/.ignored": "*.swp\n",
  });
  put(cwd, { top: "", any: "", "d/top": "", "d/a.swp": "", "d/excluded": "", kept: "" });
  execFileSync("git", ["init", "-q"], { cwd: outside });
  put(outside, { ".git/info/exclude": "excluded\n" });
  const tree = opened(new LocalTree({ root: cwd, homeDirectory: join(outside, "home") }));
  await tree.baseline({ isExact: true });
  const unkept = await tree.takeUnkept(limits);
  expect(unkept.map(({ path }) => path).toSorted()).toEqual(["d/top", "kept"]);
});

test("folders that several threads read hold what one reader finds in them", async () => {
  const { cwd } = newFolder();
  const name = (at: number) => `${at % 7}/${at % 40}/${at}`;
  put(cwd, Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [name(at), "x".repeat(at % 9)])));
  put(cwd, { ".gitignore": "9\n*7\n", "3/.gitignore": "!27\n" });
  symlinkSync(cwd, join(cwd, "5", "link"));
  const filesOf = async (firstReader: ReadingCrew | undefined) => {
    const index = new TreeIndex({ root: cwd, reader: localReader, pause: async () => {} });
    const options = { maxFiles: 10_000 };
    await (firstReader === undefined
      ? index.scan(options)
      : index.scanFirst({ ...options, reader: firstReader }));
    await firstReader?.end();
    const found = [...index.folders].flatMap(([folder, one]) =>
      [...one.files].map(([file, stamp]) => [`${folder}/${file}`, stamp] as const),
    );
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
  };
  const expected = await filesOf(undefined);
  expect(expected.length).toBeGreaterThan(1000);
  const ended = new ReadingCrew({ threadCount: 2, enoughFolders: 1 });
  // Ended while it reads, it goes on alone.
  const whileEnding = filesOf(ended);
  setImmediate(() => void ended.end());
  expect(await filesOf(new ReadingCrew({ threadCount: 2, enoughFolders: 1 }))).toEqual(expected);
  expect(await whileEnding).toEqual(expected);
});

test("a tree of too many files is not known, however it is read", async () => {
  const { cwd } = newFolder();
  put(cwd, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}/file`, ""])));
  const tree = opened(
    new IndexedTree({
      ...{ root: cwd, files, reader: localReader, isWatched: true, maxFiles: 19 },
      firstReader: new ReadingCrew({ threadCount: 1, enoughFolders: 1 }),
    }),
  );
  expect(await tree.baseline({ isExact: true })).toBeUndefined();
  expect([await tree.changes(), await tree.takeUnkept(limits)]).toEqual([undefined, []]);
});

test("a tree of too many files is not known", async () => {
  const { cwd } = newFolder();
  put(cwd, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}`, ""])));
  const options = { root: cwd, files, reader: localReader, isWatched: false };
  const tree = opened(new IndexedTree({ ...options, maxFiles: 19 }));
  expect(await tree.baseline({ isExact: true })).toBeUndefined();
  expect([await tree.changes(), await tree.takeUnkept(limits)]).toEqual([undefined, []]);
});

test("a small tree that grows is known all the time, and moves to a thread", async () => {
  const { cwd } = newFolder();
  put(cwd, { a: "" });
  const tree = opened(new LocalTree({ root: cwd, maxFilesHere: 3 }));
  await tree.baseline({ isExact: true });
  put(cwd, { b: "", c: "", d: "", e: "" });
  expect(shown(await tree.changes())).toEqual(["b +", "c +", "d +", "e +"]);
  expect(await tree.baseline({ isExact: true })).toEqual([]);
  put(cwd, { e: "changed" });
  expect(shown(await tree.changes())).toEqual(["e"]);
});

test("a small tree of which git tracks many files is known as well", async () => {
  const { cwd } = newFolder();
  put(cwd, { a: "", b: "", c: "", d: "" });
  execFileSync("git", ["init", "-q"], { cwd });
  execFileSync("git", ["add", "."], { cwd });
  for (const name of ["b", "c", "d"]) rmSync(join(cwd, name));
  const tree = opened(new LocalTree({ root: cwd, maxFilesHere: 3 }));
  tree.warm();
  expect(await tree.baseline({ isExact: true })).toEqual([]);
  put(cwd, { a: "changed", b: "" });
  expect(shown(await tree.changes())).toEqual(["a", "b +"]);
});

test("a tree that has grown stays where it is while a command runs", async () => {
  const { cwd } = newFolder();
  put(cwd, { a: "" });
  const tree = opened(new LocalTree({ root: cwd, maxFilesHere: 3 }));
  await tree.baseline({ isExact: true });
  put(cwd, { b: "", c: "", d: "", e: "" });
  await tree.baseline({ isExact: true });
  put(cwd, { e: "by the command" });
  tree.warm();
  await tree.takeUnkept(limits);
  expect(shown(await tree.changes())).toEqual(["e"]);
});

test("a tree that was closed knows nothing, also while it looked", async () => {
  const { cwd } = newFolder();
  put(cwd, { a: "" });
  for (const tree of [
    createFileTree({ cwd, environment }),
    new LocalTree({ root: cwd, maxFilesHere: 0 }),
    new LocalTree({ root: cwd }),
  ]) {
    const look = tree.baseline({ isExact: true });
    await tree.close();
    await tree.close();
    expect([undefined, []]).toContainEqual(await look);
    expect(await tree.changes()).toBeUndefined();
  }
});
