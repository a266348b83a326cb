import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalEnvironment } from "../env/local-environment.ts";
import { GitTracked } from "../file-tree/git-tracked.ts";
import { GitContents } from "./git-contents.ts";

let root = "";
const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd, stdio: "pipe" });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "coppice-git-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function repository(): Promise<string> {
  const main = join(root, "main");
  await mkdir(join(main, "sub"), { recursive: true });
  await writeFile(join(main, "sub/a.txt"), "clean\n");
  git(main, "init", "-q");
  git(main, "add", ".");
  git(main, "commit", "-qm", "x");
  return main;
}

async function contentsIn(cwd: string) {
  const { files, shell } = createLocalEnvironment({
    environmentVariables: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  const tracked = new GitTracked({ cwd, files });
  await tracked.refresh();
  const contents = new GitContents({ cwd, shell });
  const stampOf = async (name: string) => {
    const { size, mtimeMs } = await stat(join(cwd, name));
    return { sizeBytes: size, modifiedAtMs: mtimeMs };
  };
  return { tracked, contents, stampOf };
}

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

test.each([
  { name: "the root of the repository", place: "main", file: "sub/a.txt" },
  { name: "a folder of it", place: "main/sub", file: "a.txt" },
  { name: "another worktree", place: "other", file: "sub/a.txt" },
])("$name: a clean file is held and can be read again after it changed", async ({ place, file }) => {
  const main = await repository();
  git(main, "worktree", "add", "-q", join(root, "other"));
  const cwd = join(root, place);
  const { tracked, contents, stampOf } = await contentsIn(cwd);
  const stamp = await stampOf(file);
  const id = tracked.objectOf(file, stamp) ?? "";
  expect(id).not.toBe("");
  await writeFile(join(cwd, file), "changed by a command\n");
  expect(text((await contents.read([id])).get(id))).toBe("clean\n");
  expect(tracked.objectOf(file, await stampOf(file))).toBeUndefined();
});

test("many objects are read at once; one that is not there, or is no id, is left out", async () => {
  const main = await repository();
  await writeFile(join(main, "two.txt"), "2\n\nblob 3\n");
  await writeFile(join(main, "empty.txt"), "");
  git(main, "add", ".");
  const { tracked, contents, stampOf } = await contentsIn(main);
  const names = ["sub/a.txt", "two.txt", "empty.txt"];
  const ids = await Promise.all(names.map(async (name) => tracked.objectOf(name, await stampOf(name)) ?? ""));
  const found = await contents.read([ids[0] ?? "", "0".repeat(40), "; touch x", ids[1] ?? "", ids[2] ?? ""]);
  expect([...found.keys()]).toEqual(ids);
  expect(ids.map((id) => text(found.get(id)))).toEqual(["clean\n", "2\n\nblob 3\n", ""]);
});

test("what the index named before a command can still be read after it", async () => {
  const main = await repository();
  const { tracked, contents, stampOf } = await contentsIn(main);
  const stamp = await stampOf("sub/a.txt");
  git(main, "rm", "-q", "sub/a.txt");
  expect(await tracked.refresh()).toBe(true);
  const id = tracked.objectOf("sub/a.txt", stamp) ?? "";
  expect(text((await contents.read([id])).get(id))).toBe("clean\n");
});

test("outside of a repository nothing is held", async () => {
  await writeFile(join(root, "a.txt"), "a");
  const { tracked, contents, stampOf } = await contentsIn(root);
  expect(tracked.objectOf("a.txt", await stampOf("a.txt"))).toBeUndefined();
  expect(await contents.read(["0".repeat(40)])).toEqual(new Map());
});
