import { mkdir, readdir, rmdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { withFileLock } from "./file-lock.ts";

async function lockedFile() {
  const directory = await temporaryFolder();
  const path = join(directory, "a.json");
  return { directory, path, lock: `${path}.lock` };
}

test("a lock is gone when the work is done, also when it failed", async () => {
  const { directory, path } = await lockedFile();
  expect(await withFileLock(path, { waitMs: 0 }, async () => readdir(directory))).toEqual(["a.json.lock"]);
  await expect(withFileLock(path, { waitMs: 0 }, () => Promise.reject(new Error("no disk")))).rejects.toThrow(
    "no disk",
  );
  expect(await readdir(directory)).toEqual([]);
});

test("B226: an owner whose lock was taken over is told before it writes, and leaves the other's lock alone", async () => {
  const { directory, path, lock } = await lockedFile();
  const work = withFileLock(path, { waitMs: 0 }, async (assertHeld) => {
    assertHeld();
    await rmdir(lock);
    await mkdir(lock);
    await utimes(lock, 1_900_000_000, 1_900_000_000);
    await vi.waitFor(() => expect(assertHeld).toThrow(), { timeout: 10_000 });
    assertHeld();
  });
  await expect(work).rejects.toMatchObject({ code: "config_locked" });
  expect(await readdir(directory)).toEqual(["a.json.lock"]);
});
