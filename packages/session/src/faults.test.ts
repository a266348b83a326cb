import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import { JsonlRepo } from "./jsonl-repo.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";
import { FailingFiles, playSteps, treeSteps, userMessage } from "./testing/index.ts";
import { hashOf, SessionFolder } from "./testing/session-folder.ts";

const sample = join(import.meta.dirname, "../fixtures/pi-1.6.0-rich-tree.jsonl");

/** Counts what is read and opened, and how much at once. */
class CountingFiles implements SessionFiles {
  bytesRead = 0;
  opens = 0;
  openNow = 0;
  mostOpen = 0;
  readonly makeDirectory = nodeSessionFiles.makeDirectory;
  readonly list = nodeSessionFiles.list;
  readonly rename = nodeSessionFiles.rename;
  readonly link = nodeSessionFiles.link;
  readonly remove = nodeSessionFiles.remove;
  readonly stat = nodeSessionFiles.stat;

  async open(path: string, mode: "read" | "append" | "create"): Promise<SessionFile> {
    const file = await nodeSessionFiles.open(path, mode);
    this.opens++;
    this.openNow++;
    this.mostOpen = Math.max(this.mostOpen, this.openNow);
    return {
      read: async (buffer, position) => {
        const count = await file.read(buffer, position);
        this.bytesRead += count;
        return count;
      },
      append: (bytes) => file.append(bytes),
      size: () => file.size(),
      truncate: (length) => file.truncate(length),
      sync: () => file.sync(),
      close: async () => {
        this.openNow--;
        await file.close();
      },
    };
  }
}

/** A long linear session with a compaction near its end. */
function longSession(entries: number): string {
  const id = (index: number) => index.toString(16).padStart(16, "0");
  const timestamp = "2026-01-01T00:00:00.000Z";
  const lines = Array.from({ length: entries }, (_, index) => {
    const base = { id: id(index), parentId: index === 0 ? null : id(index - 1), timestamp };
    const fields = { summary: "S", firstKeptEntryId: id(index - 2), tokensBefore: 1, checkpoint: {} };
    return index === entries - 50
      ? encodeEntry({ type: "compaction", ...base, ...fields })
      : encodeEntry({ type: "message", ...base, message: userMessage(`${index} ${"word ".repeat(100)}`) });
  });
  return encodeHeader(newHeader({ id: "long", timestamp, cwd: "/w" })) + lines.join("");
}

test("SE-08: opening reads what the context needs, not what the file holds", async () => {
  const readBytes = async (entries: number) => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", longSession(entries));
    const fileSystem = new CountingFiles();
    const session = await folder.repo({ fileSystem }).open(path, { readOnly: true });
    expect((await session.buildContext()).messages).toHaveLength(52);
    return fileSystem.bytesRead;
  };
  const [small, large] = [await readBytes(1000), await readBytes(8000)];
  // Eight times the file; where its last page begins is chance.
  expect(large).toBeLessThan(small + 100_000);
});

test("SE-08, PF-02: the whole tree is read in one pass, and contexts after it read nothing", async () => {
  await using folder = await SessionFolder.create();
  const text = longSession(4000);
  const path = await folder.write("s.jsonl", text);
  const fileSystem = new CountingFiles();
  const session = await folder.repo({ fileSystem }).open(path);
  // The first append looks at the last byte.
  await session.appendMessage(userMessage("first"));
  const before = fileSystem.bytesRead;
  await session.buildIndex();
  const afterIndex = fileSystem.bytesRead;
  expect(afterIndex - before).toBeLessThan(Buffer.byteLength(text) * 1.1);
  for (let index = 0; index < 20; index++) {
    await session.appendMessage(userMessage(`${index}`));
    await session.buildContext();
    await session.getLabel("x");
  }
  expect(fileSystem.bytesRead).toBe(afterIndex);
});

test("B015: a list reads one file after another in pieces, a few at a time, as its items are taken", async () => {
  await using folder = await SessionFolder.create();
  const text = longSession(500);
  for (let index = 0; index < 30; index++) {
    await folder.write(`s${index}.jsonl`, text.replace('"id":"long"', `"id":"s${index}"`));
  }
  const fileSystem = new CountingFiles();
  let count = 0;
  for await (const item of folder.repo({ fileSystem }).list()) {
    expect("messageCount" in item && item.messageCount).toBe(499);
    count++;
    if (count === 1) expect(fileSystem.opens).toBeLessThan(10);
  }
  expect([count, fileSystem.openNow, fileSystem.mostOpen <= 4]).toEqual([30, 0, true]);
});

test("B019, SE-25: a process that ends anywhere in a fork leaves no listed part of it, and the source as it was", async () => {
  let isOver = false;
  for (let failAt = 1; !isOver; failAt++) {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", await readFile(sample));
    const before = await hashOf(path);
    const source = await folder.repo().open(path, { readOnly: true });
    const fileSystem = new FailingFiles(nodeSessionFiles, failAt, "crash");
    const repo = new JsonlRepo({ directory: folder.directory, fileSystem });
    const fork = await repo.fork(source).catch(() => undefined);
    isOver = fileSystem.operations < failAt;
    await fork?.close().catch(() => undefined);
    const context = await source.buildContext();
    for await (const item of folder.repo().list()) {
      if (!("id" in item)) throw new Error(item.diagnostic);
      const listed = await folder.repo().open(item.path ?? "", { readOnly: true });
      expect((await listed.buildContext()).messages).toEqual(context.messages);
    }
    expect(await hashOf(path)).toBe(before);
  }
});

test("SE-25: a fork is written through one handle", async () => {
  await using folder = await SessionFolder.create();
  const source = await folder
    .repo()
    .open(await folder.write("s.jsonl", await readFile(sample)), { readOnly: true });
  const fileSystem = new CountingFiles();
  await folder.repo({ fileSystem }).fork(source);
  // The copy; then the lock (written, and read when it is given back) and the fork opened.
  expect(fileSystem.opens).toBeLessThanOrEqual(4);
});

test("SE-06: in any file a parent stands before its children", async () => {
  await using folder = await SessionFolder.create();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(10_000), { maxLength: 40 }).map(treeSteps), async (steps) => {
      const session = await folder.repo().create({ cwd: "/w" });
      await session.appendMessage(userMessage("start"));
      await playSteps(session, steps);
      const fork = await folder.repo().fork(session);
      for (const { path = "" } of [session, fork]) {
        const known = new Set<unknown>([null, undefined]);
        if ((await fork.getEntries()).length === 0 && path === fork.path) continue;
        for (const line of (await readFile(path, "utf8")).trimEnd().split("\n")) {
          const { id, parentId } = JSON.parse(line) as {
            readonly id: string;
            readonly parentId?: string | null;
          };
          expect(known).toContain(parentId);
          known.add(id);
        }
      }
      await Promise.all([session.close(), fork.close()]);
    }),
    { numRuns: 30 },
  );
});

test("SE-12: a session is the same one by relative, doubled and trailing separators of its folder", async () => {
  await using folder = await SessionFolder.create();
  await folder.write("s.jsonl", await readFile(sample));
  const paths = ["", "/", "/.", "//"].map((end) => new JsonlRepo({ directory: `${folder.directory}${end}` }));
  const resolved = await Promise.all(paths.map((repo) => repo.resolve("0")));
  expect(new Set(resolved)).toEqual(new Set([join(folder.directory, "s.jsonl")]));
});

test("SE-21: a session that is kept in memory never touches a file", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  await session.close();
  expect(await folder.files()).toEqual([]);
});
