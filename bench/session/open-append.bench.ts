import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EntryDraft, JsonlRepo } from "@coppice/session";
import { assistantMessage, userMessage } from "@coppice/session/testing";

/** Open with context from the end, full read, list, search and appends on a session of 100,000 entries. */
const ENTRIES = 100_000;
const BATCH = 1000;
const AFTER_COMPACTION = ENTRIES / 50;
const APPENDS = 5000;

const directory = await mkdtemp(join(tmpdir(), "coppice-bench-session-"));
const repo = new JsonlRepo({ directory, fsync: "off" });

async function timed(name: string, task: () => Promise<unknown>, per?: number): Promise<void> {
  const start = performance.now();
  await task();
  const elapsedMs = performance.now() - start;
  const rate = per === undefined ? "" : `, ${Math.round(per / (elapsedMs / 1000))}/s`;
  console.log(`${name}: ${elapsedMs.toFixed(1)} ms${rate}`);
}

function turn(index: number): EntryDraft {
  const text = `${index} ${"some words of a conversation ".repeat(50)}`;
  return { type: "message", message: index % 2 === 0 ? userMessage(text) : assistantMessage(text) };
}

try {
  const made = await repo.create({ cwd: "/w" });
  for (let index = 0; index < ENTRIES; index += BATCH) {
    const ids = await made.appendBatch(Array.from({ length: BATCH }, (_, offset) => turn(index + offset)));
    if (index + BATCH !== ENTRIES - AFTER_COMPACTION) continue;
    await made.appendCompaction({
      summary: "Everything so far.",
      firstKeptEntryId: ids.at(-20) ?? "",
      tokensBefore: 1,
      checkpoint: { model: { provider: "p", modelId: "m" } },
    });
  }
  const path = made.path ?? "";
  await made.close();
  console.log(`file: ${((await stat(path)).size / 1e6).toFixed(0)} MB`);

  const session = await repo.open(path);
  await session.close();
  await timed("open + context", async () => {
    const opened = await repo.open(path);
    await opened.buildContext();
    await opened.close();
  });
  const writer = await repo.open(path);
  await timed("search, to the start", async () => {
    for await (const _ of writer.search("no such text anywhere")) throw new Error("nothing should match");
  });
  await timed("list", async () => {
    for await (const item of repo.list()) if ("diagnostic" in item) throw new Error(item.diagnostic);
  });
  const small = userMessage("a small message");
  await timed(
    "appends, not awaited one by one",
    () => Promise.all(Array.from({ length: APPENDS }, () => writer.appendMessage(small))),
    APPENDS,
  );
  await timed(
    "appends, awaited one by one",
    async () => {
      for (let index = 0; index < APPENDS; index++) await writer.appendMessage(small);
    },
    APPENDS,
  );
  await timed("whole tree", () => writer.getTree());
  await writer.close();
} finally {
  await rm(directory, { recursive: true });
}
