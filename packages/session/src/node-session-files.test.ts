import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isSessionError } from "./errors.ts";
import { JsonlRepo } from "./jsonl-repo.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import { userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

test("a folder is made with its parents, for the owner only, by however many at once", async () => {
  await using folder = await SessionFolder.create();
  const paths = ["a/b/c", "a/b/c", "a/b/d", "a", "."].map((name) => join(folder.directory, name));
  await Promise.all(paths.map((path) => nodeSessionFiles.makeDirectory(path)));
  // Who looks for a missing parent may find that another has made it by then.
  for (let round = 0; round < 100; round++) {
    const raced = ["x/y/z", "x/y", "x", "x/y/z/w"].map((name) => join(folder.directory, String(round), name));
    await Promise.all(raced.map((path) => nodeSessionFiles.makeDirectory(path)));
  }
  await nodeSessionFiles.makeDirectory(join(folder.directory, "a/b/c"));
  const modes = await Promise.all(
    ["a", "a/b", "a/b/c", "a/b/d"].map(
      async (name) => (await stat(join(folder.directory, name))).mode & 0o777,
    ),
  );
  const expected = process.platform === "win32" ? modes : [0o700, 0o700, 0o700, 0o700];
  expect(modes).toEqual(expected);
});

test("a place where no folder can be made fails the first append with the reason, and does not hang", async () => {
  await using folder = await SessionFolder.create();
  const file = await folder.write("file", "text");
  // The system says of /proc that it is there and that nothing can be found in it.
  const places = [
    join(file, "sessions"),
    ...(process.platform === "linux" ? ["/proc/coppice-sessions"] : []),
  ];
  for (const directory of places) {
    const session = await new JsonlRepo({ directory }).create({ cwd: "/w" });
    const error = await session.appendMessage(userMessage("x")).catch((failure: unknown) => failure);
    expect(error).toSatisfy((failure: unknown) => isSessionError(failure, "io"));
    expect(String(error)).toMatch(/Cannot append to .*: (?:ENOTDIR|ENOENT|EEXIST)/);
    expect(session.getLeafId()).toBeNull();
    await session.close();
  }
});

test("a closed file refuses every call, and closing waits for reads that are under way", async () => {
  await using folder = await SessionFolder.create();
  const path = await folder.write("s.jsonl", "x".repeat(1_000_000));
  const file = await nodeSessionFiles.open(path, "append");
  const large = new Uint8Array(1_000_000);
  const reading = file.read(large, 0);
  await file.close();
  await file.close();
  expect(await reading).toBe(1_000_000);
  // The system gives the number of a closed file to the next one.
  const other = await nodeSessionFiles.open(await folder.write("other.jsonl", ""), "append");
  const bytes = new Uint8Array(1);
  await expect(file.read(bytes, 0)).rejects.toThrow();
  await expect(file.append(bytes)).rejects.toThrow();
  await expect(file.truncate(0)).rejects.toThrow();
  await expect(file.size()).rejects.toThrow();
  expect(await other.size()).toBe(0);
  await other.close();
});

test("a loop of awaited calls lets timers run", async () => {
  await using folder = await SessionFolder.create();
  const path = await folder.write("s.jsonl", "x");
  let hasRun = false;
  setTimeout(() => {
    hasRun = true;
  }, 0);
  for (let round = 0; round < 100_000 && !hasRun; round++) {
    const file = await nodeSessionFiles.open(path, "read");
    await file.close();
  }
  expect(hasRun).toBe(true);
});
