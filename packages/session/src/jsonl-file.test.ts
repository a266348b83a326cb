import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import type { AnyEntry } from "./entry.ts";
import { isSessionError, type SessionErrorCode } from "./errors.ts";
import { fileName, folderName } from "./folder-name.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import type { Session } from "./session.ts";
import { assistantMessage, userMessage } from "./testing/index.ts";
import { hashOf, SessionFolder } from "./testing/session-folder.ts";

// Many files or many runs: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const header = encodeHeader(newHeader({ id: "s-1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" }));
const entry = (id: string, parentId: string | null): AnyEntry => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-01-01T00:00:00.000Z",
  message: userMessage(id),
});
const line = (id: string, parentId: string | null) => encodeEntry(entry(id, parentId));
const good = header + line("a1", null) + line("a2", "a1");

async function shown(session: Session): Promise<readonly string[]> {
  return (await session.buildContext()).entries.map(({ entry: { id } }) => id);
}

const withCode = (code: SessionErrorCode) =>
  expect.toSatisfy((error: unknown) => isSessionError(error, code));

describe("the file of a session", () => {
  test("SE-04: appears with the first append, holding one header and the entry, for its owner only", async () => {
    await using folder = await SessionFolder.create();
    const session = await folder.repo().create({ cwd: "/w/x" });
    expect(await folder.files()).toEqual([]);
    await session.appendMessage(userMessage("hi"));
    const path = session.path ?? "";
    expect((await readFile(path, "utf8")).split("\n").map((text) => text.slice(0, 17))).toEqual([
      '{"type":"session"',
      '{"type":"message"',
      "",
    ]);
    expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(path).toBe(
      join(folder.directory, folderName("/w/x"), fileName(session.header.timestamp, session.id)),
    );
  });

  test("B011: lies in different folders for working directories whose names look alike", () => {
    expect(folderName("/w/a-b/c")).toMatch(/^--w-a-b-c--[0-9a-f]{8}$/);
    expect(folderName("/w/a-b/c")).not.toBe(folderName("/w/a/b-c"));
  });

  test("SE-10: is not changed by opening, reading and closing", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", good.slice(0, -1));
    const before = await hashOf(path);
    const session = await folder.repo().open(path);
    await session.buildContext();
    await session.getTree();
    await session.close();
    expect([await hashOf(path), await folder.files()]).toEqual([before, ["s.jsonl"]]);
  });

  test("keeps its old bytes when entries are appended", async () => {
    await using folder = await SessionFolder.create();
    const foreign = `${good}{"type":"new_kind","id":"u","parentId":"a2","timestamp":"t","n":1.0}\n`;
    const path = await folder.write("s.jsonl", foreign);
    const session = await folder.repo().open(path);
    await session.appendMessage(userMessage("next"));
    expect((await readFile(path, "utf8")).startsWith(foreign)).toBe(true);
    expect((await session.getBranch()).map(({ id }) => id).slice(0, 3)).toEqual(["a1", "a2", "u"]);
  });

  test.each([
    ["hello\n", "not_a_session"],
    ['{"type":"other"}\n', "not_a_session"],
    ["\0\0\0\0", "not_a_session"],
    [header.slice(0, 40), "not_a_session"],
    ["", "not_a_session"],
    [header.replace('"version":3', '"version":4'), "version_too_new"],
  ] as const)("B020, SE-02: that holds %j is refused with %s and not changed", async (content, code) => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", content);
    await expect(folder.repo().open(path)).rejects.toEqual(withCode(code));
    expect([await readFile(path, "utf8"), await folder.files()]).toEqual([content, ["s.jsonl"]]);
  });

  test("of a newer version can be read, with a diagnostic", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", good.replace('"version":3', '"version":9'));
    const session = await folder.repo().open(path, { readOnly: true });
    expect([await shown(session), session.diagnostics.map(({ code }) => code)]).toEqual([
      ["a1", "a2"],
      ["newer_version"],
    ]);
  });

  test("B020: that is empty gets a header with the first append, if a working directory is given", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", "");
    const session = await folder.repo().open(path, { cwd: "/w/new" });
    expect((await stat(path)).size).toBe(0);
    await session.appendMessage(userMessage("hi"));
    await session.close();
    expect((await folder.repo().open(path)).cwd).toBe("/w/new");
  });

  test("that does not exist, or is a folder, is refused with the path", async () => {
    await using folder = await SessionFolder.create();
    const repo = folder.repo();
    await mkdir(join(folder.directory, "dir.jsonl"));
    await expect(repo.open(join(folder.directory, "no.jsonl"))).rejects.toEqual(withCode("not_found"));
    await expect(repo.open(join(folder.directory, "dir.jsonl"))).rejects.toEqual(withCode("not_a_session"));
  });

  test("that may not be opened is refused as such, with the path", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", good);
    const denied = async () => {
      throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    };
    const repo = folder.repo({ fileSystem: { ...nodeSessionFiles, open: denied } });
    await expect(repo.open(path, { readOnly: true })).rejects.toMatchObject({ code: "io", data: { path } });
  });

  test("written to by another program is not appended to blindly", async () => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", good);
    const session = await folder.repo().open(path);
    await writeFile(path, line("a3", "a2"), { flag: "a" });
    await expect(session.appendMessage(userMessage("x"))).rejects.toEqual(withCode("changed"));
    expect(await readFile(path, "utf8")).toBe(good + line("a3", "a2"));
  });
});

describe("a damaged file", () => {
  test.each([
    ["B001: torn bytes at the end", '{"type":"message","id":"a3","parentId":"a2","mess', 1],
    ["B005: torn bytes, a line end and a blank line", '{"type":"mess\n\n', 1],
    ["an entry without its line end", line("a3", "a2").slice(0, -1), 0],
  ])("SE-01: with %s takes the next entry on a line of its own", async (_name, tail, reported) => {
    await using folder = await SessionFolder.create();
    const path = await folder.write("s.jsonl", good + tail);
    const session = await folder.repo().open(path);
    expect(session.diagnostics.map(({ code }) => code)).toEqual(Array(reported).fill("unreadable_line"));
    const id = await session.appendMessage(userMessage("next"));
    await session.close();
    const again = await folder.repo().open(path);
    expect((await shown(again)).at(-1)).toBe(id);
    expect(again.diagnostics).toHaveLength(reported);
    expect((await readFile(path, "utf8")).startsWith(good + tail)).toBe(true);
  });

  test("SE-01: cut at any byte after its header opens, continues cleanly and keeps every complete entry", async () => {
    await using folder = await SessionFolder.create();
    const bytes = Buffer.from(good + line("ä3", "a2"));
    for (let cut = Buffer.byteLength(header); cut <= bytes.length; cut++) {
      const path = await folder.write(`${cut}.jsonl`, bytes.subarray(0, cut));
      const session = await folder.repo().open(path);
      const complete = await session.getEntries();
      const id = await session.appendMessage(userMessage("next"));
      await session.close();
      const again = await folder.repo().open(path);
      expect((await again.getEntries()).map((e) => e.id)).toEqual([...complete.map((e) => e.id), id]);
      await again.close();
    }
  });

  test("reports where an unreadable line stands, keeps it, and bridges over it", async () => {
    await using folder = await SessionFolder.create();
    const bad = '{"type":"message","id":"a3","parentId":"a2","mes#\n';
    const path = await folder.write("s.jsonl", good + bad + line("a4", "a3"));
    const session = await folder.repo().open(path);
    expect(await shown(session)).toEqual(["a1", "a2", "a4"]);
    expect((await session.buildContext()).messages.map((m) => m.role)).toEqual([
      "user",
      "user",
      "custom",
      "user",
    ]);
    expect(session.diagnostics).toEqual([
      {
        code: "unreadable_line",
        message: "Line 4: not JSON. The bytes stay in the file.",
        line: 4,
        byteOffset: Buffer.byteLength(good),
        byteLength: Buffer.byteLength(bad) - 1,
      },
      {
        code: "missing_parent",
        message: "The parent a3 of entry a4 is missing; the nearest entry before takes its place.",
        entryId: "a4",
      },
    ]);
  });

  test("B004: with a run of NUL bytes, a BOM and CRLF loses nothing", async () => {
    await using folder = await SessionFolder.create();
    const content = `\uFEFF${header}${line("a1", null)}${"\0".repeat(512)}\n${line("a2", "a1")}`.replaceAll(
      "\n",
      "\r\n",
    );
    const session = await folder.repo().open(await folder.write("s.jsonl", content));
    expect([await shown(session), session.diagnostics.map(({ code }) => code)]).toEqual([
      ["a1", "a2"],
      ["unreadable_line"],
    ]);
  });

  test("B006: is one diagnostic in the list and spoils nothing else", async () => {
    await using folder = await SessionFolder.create();
    for (const name of ["a", "b", "c"]) await folder.write(`${name}.jsonl`, good.replace("s-1", name));
    const path = await folder.write("d.jsonl", '{"session_id":"a","status":"runni');
    const items: unknown[] = [];
    for await (const item of folder.repo().list()) items.push("id" in item ? item.id : item.path);
    expect(items.sort()).toEqual([path, "a", "b", "c"]);
  });

  test("B014: asked for by id names the folder and makes no replacement", async () => {
    await using folder = await SessionFolder.create();
    await folder.write("d.jsonl", "broken");
    await expect(folder.repo().open("s-1")).rejects.toThrow(folder.directory);
    expect(await folder.files()).toEqual(["d.jsonl"]);
  });
});

describe("a large file", () => {
  test("B013: is read in pieces, and gives the same from its end as from its start", async () => {
    await using folder = await SessionFolder.create();
    const repo = folder.repo();
    const session = await repo.create({ cwd: "/w" });
    await session.appendModelChange("p", "m");
    await session.appendSessionName("Large");
    for (let index = 0; index < 40; index++) {
      await session.appendBatch([
        { type: "message", message: userMessage(`${index} ${"x".repeat(30_000)}`) },
        { type: "message", message: assistantMessage("y".repeat(30_000)) },
      ]);
    }
    const kept = await session.appendMessage(userMessage("kept"));
    await session.appendCompaction({
      summary: "S",
      firstKeptEntryId: kept,
      tokensBefore: 1,
      checkpoint: { model: { provider: "p", modelId: "m" } },
    });
    await session.appendMessage(userMessage("last"));
    const whole = await session.buildContext({});
    await session.close();

    const again = await folder.repo().open(session.id);
    expect(await again.buildContext()).toEqual(JSON.parse(JSON.stringify(whole)));
    expect(await again.getName()).toBe("Large");
    const first = (await again.getEntries())[0]?.id ?? "";
    await again.appendLabel(first, "start");
    expect([await again.getLabel(first), (await again.getBranch()).length]).toEqual(["start", 84]);
  });

  test("without a compaction is read back to its start, past lines longer than a page", async () => {
    await using folder = await SessionFolder.create();
    const session = await folder.repo().create({ cwd: "/w" });
    const long = await session.appendMessage(userMessage("x".repeat(900_000)));
    await session.appendMessage(userMessage("y".repeat(300_000)));
    await session.close();
    const again = await folder.repo().open(session.id);
    expect((await shown(again))[0]).toBe(long);
  });
});

test("a loop of awaited appends lets timers run", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo({ fsync: "off" }).create({ cwd: "/w" });
  let hasFired = false;
  setTimeout(() => {
    hasFired = true;
  }, 0);
  for (let index = 0; index < 1000 && !hasFired; index++) await session.appendMessage(userMessage("x"));
  expect(hasFired).toBe(true);
});
