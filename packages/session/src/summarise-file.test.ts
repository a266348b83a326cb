import { appendFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeLine } from "./codec.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import { Summary, summariseFile } from "./summarise-file.ts";
import { assistantMessage, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

const fixtures = join(import.meta.dirname, "../fixtures");

test("a line taken by its bytes says the same as the parsed line", async () => {
  let taken = 0;
  for (const name of (await readdir(fixtures)).filter((file) => file.startsWith("pi-"))) {
    for (const line of (await readFile(join(fixtures, name), "utf8")).split("\n").slice(1, -1)) {
      const parsed = new Summary();
      const decoded = decodeLine(line);
      if (decoded.kind === "entry") parsed.take(decoded.entry);
      const quick = new Summary();
      quick.firstPrompt = parsed.firstPrompt;
      if (!quick.takeBytes(Buffer.from(line))) continue;
      taken++;
      expect({ ...quick }).toEqual({ ...parsed });
    }
  }
  expect(taken).toBeGreaterThan(40);
});

test("SE-09: recency is the last message, whatever is renamed or labelled afterwards", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const id = await session.appendMessage(userMessage(`ask "timestamp":5, and more`, 1000));
  await session.appendMessage(assistantMessage(`{"timestamp":9}`, { timestamp: 2000, durationMs: 3 }));
  await session.appendSessionName("New name");
  await session.appendLabel(id, "label");
  expect(await summariseFile(nodeSessionFiles, session.path ?? "")).toMatchObject({
    name: "New name",
    firstPrompt: 'ask "timestamp":5, and more',
    lastMessageAt: "1970-01-01T00:00:02.000Z",
    messageCount: 2,
  });
});

test("a message without content or time is counted and does not hide the session", async () => {
  await using folder = await SessionFolder.create();
  const header =
    '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}\n';
  const message =
    '{"type":"message","id":"a","parentId":null,"timestamp":"x","message":{"role":"user","content":null}}\n';
  const path = await folder.write("s.jsonl", header + message);
  expect(await summariseFile(nodeSessionFiles, path)).toMatchObject({
    id: "s",
    firstPrompt: undefined,
    lastMessageAt: "2026-01-01T00:00:00.000Z",
    messageCount: 1,
  });
});

test("damaged lines that are met are counted, with the place of the first", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  await session.appendMessage(userMessage("x", 1000));
  const path = session.path ?? "";
  await session.close();
  expect(await summariseFile(nodeSessionFiles, path)).not.toHaveProperty("damage");
  const { size } = await stat(path);
  await appendFile(path, '{"type":"message","id":"a\n{"type":"mess');
  expect(await summariseFile(nodeSessionFiles, path)).toMatchObject({
    messageCount: 1,
    damage: { lines: 2, byteOffset: size },
  });
});
