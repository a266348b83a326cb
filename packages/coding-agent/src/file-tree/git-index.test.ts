import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseGitIndex } from "./git-index.ts";

const NAMES = ["a.txt", "folder/b.txt", `folder/${"long".repeat(40)}.txt`, "größe.txt", "z"];

test.each([2, 3, 4])("an index of version %i gives every tracked file as git lists it", async (version) => {
  const folder = await mkdtemp(join(tmpdir(), "coppice-index-"));
  try {
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder }).toString();
    await mkdir(join(folder, "folder"));
    for (const name of NAMES) await writeFile(join(folder, name), `content of ${name}`);
    git("init", "-q");
    git("add", ".");
    // An entry with more flags makes version 3 out of 2.
    if (version === 3) git("update-index", "--skip-worktree", "z");
    else git("update-index", `--index-version=${version}`);
    const index = parseGitIndex(await readFile(join(folder, ".git/index")));
    const listed = git("ls-files", "-s", "-z")
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => {
        const [head = "", name = ""] = line.split("\t");
        return [name, head.split(" ")[1]];
      });
    expect([...index].map(([name, { objectId }]) => [name, objectId])).toEqual(listed);
    for (const [name, { sizeBytes, modifiedAtMs }] of index) {
      const info = await stat(join(folder, name));
      expect(sizeBytes).toBe(info.size);
      expect(Math.abs(modifiedAtMs - info.mtimeMs)).toBeLessThan(1);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("what is no index, or is cut off anywhere, gives what stands before and no error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "coppice-index-"));
  try {
    for (const name of ["a", "b", "c"]) await writeFile(join(folder, name), name);
    execFileSync("git", ["init", "-q"], { cwd: folder });
    execFileSync("git", ["add", "."], { cwd: folder });
    const whole = await readFile(join(folder, ".git/index"));
    const names = Array.from({ length: whole.length }, (_, end) => [
      ...parseGitIndex(whole.subarray(0, end)).keys(),
    ]);
    expect(names.every((found) => "abc".startsWith(found.join("")))).toBe(true);
    expect(parseGitIndex(Buffer.from("no index at all")).size).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
