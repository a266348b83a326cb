import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalEnvironment } from "../env/local-environment.ts";
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
  const contents = new GitContents({ cwd, files, shell });
  await contents.refresh();
  const stampOf = async (name: string) => {
    const { size, mtimeMs } = await stat(join(cwd, name));
    return { sizeBytes: size, modifiedAtMs: mtimeMs };
  };
  return { contents, stampOf };
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
  const { contents, stampOf } = await contentsIn(cwd);
  const stamp = await stampOf(file);
  expect(contents.holds(file, stamp)).toBe(true);
  await writeFile(join(cwd, file), "changed by a command\n");
  expect(text(await contents.read(file, stamp))).toBe("clean\n");
  expect(contents.holds(file, await stampOf(file))).toBe(false);
});

test("outside of a repository nothing is held", async () => {
  await writeFile(join(root, "a.txt"), "a");
  const { contents, stampOf } = await contentsIn(root);
  const stamp = await stampOf("a.txt");
  expect([contents.holds("a.txt", stamp), await contents.read("a.txt", stamp)]).toEqual([false, undefined]);
});

test("where the repository converts what it checks out, its object is not taken for the file", async () => {
  const main = await repository();
  await writeFile(join(main, ".gitattributes"), "*.txt text eol=crlf\n");
  await writeFile(join(main, "crlf.txt"), "one\r\ntwo\r\n");
  git(main, "add", ".");
  const { contents, stampOf } = await contentsIn(main);
  const stamp = await stampOf("crlf.txt");
  expect(await contents.read("crlf.txt", stamp)).toBeUndefined();
});
