import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { AnyEntry } from "./entry.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import type { SearchMatch } from "./search.ts";
import type { Session } from "./session.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";
import { assistantMessage, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

/** The local file system, with a count of the bytes read. */
class ReadBytes implements SessionFiles {
  count = 0;
  readonly makeDirectory = nodeSessionFiles.makeDirectory;
  readonly list = nodeSessionFiles.list;
  readonly rename = nodeSessionFiles.rename;
  readonly link = nodeSessionFiles.link;
  readonly remove = nodeSessionFiles.remove;
  readonly stat = nodeSessionFiles.stat;

  async open(path: string, mode: "read" | "append" | "create"): Promise<SessionFile> {
    const file = await nodeSessionFiles.open(path, mode);
    return {
      read: async (buffer, position) => {
        const count = await file.read(buffer, position);
        this.count += count;
        return count;
      },
      append: (bytes) => file.append(bytes),
      size: () => file.size(),
      truncate: (length) => file.truncate(length),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }
}

async function found(session: Session, query: string, limit?: number): Promise<readonly SearchMatch[]> {
  const matches: SearchMatch[] = [];
  for await (const match of session.search(query, limit === undefined ? {} : { limit })) matches.push(match);
  return matches;
}

test("finds text of every branch and of what was compacted, newest first, and says what is on the branch", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const first = await session.appendMessage(userMessage("Fix the Parser please"));
  const call = { type: "toolCall", id: "t", name: "grep", arguments: { pattern: "parser" } } as const;
  const left = await session.appendMessage(assistantMessage("", { content: [call], stopReason: "toolUse" }));
  await session.moveTo(first);
  await session.appendMessage(userMessage("nothing here"));
  const summary = await session.appendCompaction({
    summary: "The PARSER.",
    firstKeptEntryId: "",
    tokensBefore: 1,
  });
  const matches = await found(session, "parser");
  expect(matches.map(({ entryId, isOnBranch }) => [entryId, isOnBranch])).toEqual([
    [summary, true],
    [left, false],
    [first, true],
  ]);
  expect((await found(session, "parser", 1)).map(({ entryId }) => entryId)).toEqual([summary]);
  expect([await found(session, ""), await found(session, "no such text")]).toEqual([[], []]);
});

test("reads a large file page by page and shows a line around the place", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const id = await session.appendMessage(userMessage(`${"a ".repeat(500)}\nNeedle\n${"b ".repeat(500)}`));
  for (let index = 0; index < 10; index++) await session.appendMessage(userMessage("x".repeat(100_000)));
  const [match] = await found(session, "needle");
  expect(match?.entryId).toBe(id);
  expect(match?.snippet).toBe(`…${"a ".repeat(29)}Needle${" b".repeat(30)}…`);
});

test("finds a text across blocks and stretches of a file, with what is known of them and without", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const ids: string[] = [];
  for (let index = 0; index < 400; index++) {
    ids.push(await session.appendMessage(userMessage(`${"words ".repeat(150)}place number ${index}.`)));
  }
  await session.buildIndex();
  for (const round of ["cold", "known"]) {
    for (const [index, id] of ids.entries()) {
      const matches = await found(session, `PLACE number ${index}.`);
      expect([round, matches.map(({ entryId }) => entryId)]).toEqual([round, [id]]);
    }
  }
  expect((await found(session, "place number 3", 1000)).length).toBe(111);
});

test("finds entries that hold several texts, in any order, and reads less for more of them", async () => {
  await using folder = await SessionFolder.create();
  const writer = await folder.repo().create({ cwd: "/w" });
  const texts = ["the Harbour master", "only a harbour", "only a lantern", "a LANTERN in a é/harbour"];
  const ids: string[] = [];
  for (let index = 0; index < 600; index++) {
    const text = index % 150 === 75 ? (texts[Math.floor(index / 150)] ?? "") : "";
    const id = await writer.appendMessage(
      userMessage(`${"words ".repeat(300)}${text}${index} lantern_${index}`),
    );
    if (text !== "") ids.push(id);
  }
  await writer.close();
  const files = new ReadBytes();
  const session = await folder.repo({ fileSystem: files }).open(writer.id, { readOnly: true });
  await session.buildIndex();
  const near = async (query: string, ...others: readonly string[]) => {
    const matches: string[] = [];
    for await (const { entryId } of session.search(query, { near: others })) matches.push(entryId);
    return matches;
  };
  const read: number[] = [];
  for (const round of ["cold", "known"]) {
    expect([round, await near("harbour", "a lantern")]).toEqual([round, [ids[3]]]);
    expect([round, await near("a lantern", "HARBOUR")]).toEqual([round, [ids[3]]]);
    expect([round, await near("harbour", "/")]).toEqual([round, [ids[3]]]);
    expect([round, await near("harbour", "zebra")]).toEqual([round, []]);
    expect([round, await near("master", "lantern_7")]).toEqual([round, [ids[0]]]);
  }
  for (const others of [[], ["lantern_75"]]) {
    files.count = 0;
    await near("lantern", ...others);
    read.push(files.count);
  }
  expect(read[1]).toBeLessThan((read[0] ?? 0) / 4);
});

test("with an index of texts the first search reads no more than a later one", async () => {
  await using folder = await SessionFolder.create();
  const writer = await folder.repo().create({ cwd: "/w" });
  const wanted = await writer.appendMessage(userMessage("the harbour"));
  for (let index = 0; index < 100; index++) await writer.appendMessage(userMessage("words ".repeat(20_000)));
  const path = writer.path ?? "";
  await writer.close();
  // Other programs write letters in escapes: what such a stretch holds cannot be known, what is around it can.
  const text = await readFile(path, "utf8");
  const at = text.lastIndexOf("words", text.length / 2);
  await writeFile(path, `${text.slice(0, at)}\\u0077ords${text.slice(at + 5)}`);
  const files = new ReadBytes();
  const session = await folder.repo({ fileSystem: files }).open(writer.id, { readOnly: true });
  await session.buildIndex({ withTexts: true });
  files.count = 0;
  expect((await found(session, "harbour")).map(({ entryId }) => entryId)).toEqual([wanted]);
  expect(files.count).toBeLessThan(700_000);
  await session.close();
});

test("passes over what is not accepted, without counting it", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const wanted = await session.appendMessage(userMessage("the lantern"));
  for (let index = 0; index < 3; index++)
    await session.appendMessage(assistantMessage(`a lantern, ${index}`));
  const asked: string[] = [];
  const accepts = (entry: AnyEntry) => {
    asked.push(entry.id);
    return entry.id === wanted;
  };
  const matches: string[] = [];
  for await (const { entryId } of session.search("lantern", { limit: 1, near: ["the"], accepts })) {
    matches.push(entryId);
  }
  expect({ matches, asked }).toEqual({ matches: [wanted], asked: [wanted] });
  for await (const { entryId } of session.search("lantern", { limit: 1, accepts })) matches.push(entryId);
  expect({ matches, asked: asked.length }).toEqual({ matches: [wanted, wanted], asked: 5 });
});

test("what an append that failed left behind is not remembered", async () => {
  await using folder = await SessionFolder.create();
  let isFull = false;
  const files: SessionFiles = {
    ...nodeSessionFiles,
    open: async (path, mode) => {
      const file = await nodeSessionFiles.open(path, mode);
      const append = async (bytes: Uint8Array) =>
        file.append(isFull ? bytes.subarray(0, bytes.length - 1) : bytes);
      return {
        read: (buffer, position) => file.read(buffer, position),
        append,
        size: () => file.size(),
        truncate: async (length) => {
          // A search that runs while the rest of the append is there.
          await found(session, "whatever it is");
          await file.truncate(length);
        },
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  const session = await folder.repo({ fileSystem: files }).create({ cwd: "/w" });
  await session.appendMessage(userMessage("first"));
  await session.buildIndex();
  isFull = true;
  await expect(session.appendMessage(userMessage("x".repeat(300_000)))).rejects.toThrow("taken back");
  isFull = false;
  const id = await session.appendMessage(userMessage(`needle in it ${"y ".repeat(150_000)}`));
  expect((await found(session, "needle in it")).map(({ entryId }) => entryId)).toEqual([id]);
});

test("that goes far back in a large file builds the index, finds on, and knows the branch", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const root = await session.appendMessage(userMessage("needle at the root"));
  const left = await session.appendMessage(userMessage("needle that was left"));
  await session.moveTo(root);
  for (let index = 0; index < 24; index++) await session.appendMessage(userMessage("x".repeat(500_000)));
  const last = await session.appendMessage(userMessage("needle at the end"));
  const kept = { summary: "S", firstKeptEntryId: last, tokensBefore: 1, checkpoint: {} };
  await session.appendCompaction(kept);
  await session.close();
  const files = new ReadBytes();
  const again = await folder.repo({ fileSystem: files }).open(session.id, { readOnly: true });
  const matches = async () =>
    (await found(again, "needle at")).map(({ entryId, isOnBranch }) => [entryId, isOnBranch]);
  const first = [
    [last, true],
    [root, true],
  ];
  // The second search learns of the end, which the first one read before there was an index.
  expect([await matches(), await matches()]).toEqual([first, first]);
  files.count = 0;
  expect(await matches()).toEqual(first);
  expect(files.count).toBeLessThan(1_000_000);
  expect((await found(again, "that was")).map(({ entryId, isOnBranch }) => [entryId, isOnBranch])).toEqual([
    [left, false],
  ]);
});
