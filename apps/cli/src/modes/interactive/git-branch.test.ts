import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitBranch } from "./git-branch.ts";

test("the branch is found from a folder below, from a worktree, and is the commit when none is checked out", async () => {
  const root = await mkdtemp(join(tmpdir(), "coppice-git-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "main/.git/worktrees/side"), { recursive: true });
  await mkdir(join(root, "main/src/deep"), { recursive: true });
  await mkdir(join(root, "side"));
  await writeFile(join(root, "main/.git/HEAD"), "ref: refs/heads/fix/pruning\n");
  await writeFile(join(root, "main/.git/worktrees/side/HEAD"), "0123456789abcdef0123456789abcdef01234567\n");
  await writeFile(join(root, "side/.git"), "gitdir: ../main/.git/worktrees/side\n");
  expect(await gitBranch(join(root, "main/src/deep"))).toBe("fix/pruning");
  expect(await gitBranch(join(root, "side"))).toBe("01234567");
  expect(await gitBranch(root)).toBeUndefined();
});

test("UI-19: a head that git replaces is the new one, and one that cannot be read is none", async () => {
  const root = await mkdtemp(join(tmpdir(), "coppice-git-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const head = join(root, ".git/HEAD");
  await mkdir(join(root, ".git"));
  await writeFile(head, "ref: refs/heads/one\n");
  expect(await gitBranch(root)).toBe("one");
  // As git does it: another file takes the place.
  await writeFile(`${head}.lock`, "ref: refs/heads/two\n");
  await rename(`${head}.lock`, head);
  expect(await gitBranch(root)).toBe("two");
  await writeFile(head, "ref: refs/heads/.invalid\n");
  expect(await gitBranch(root)).toBeUndefined();
  await rm(head);
  await mkdir(head);
  expect(await gitBranch(root)).toBeUndefined();
});
