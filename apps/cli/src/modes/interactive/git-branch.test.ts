import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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
