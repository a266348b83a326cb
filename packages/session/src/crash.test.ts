import { describe, expect, test, vi } from "vitest";
import { JsonlRepo } from "./jsonl-repo.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import type { ProcessInfo } from "./process-info.ts";
import type { Session } from "./session.ts";
import { assistantMessage, FailingFiles, type Failure, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

// Many files or many runs: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

type Action = (session: Session) => Promise<unknown>;

/** A session's life in small: every kind of write, one after the other. */
const SCRIPT: readonly Action[] = [
  (session) => session.appendMessage(userMessage("one")),
  (session) => session.appendMessage(assistantMessage("answer")),
  (session) => session.appendLabel(session.getLeafId() ?? "", "here"),
  (session) =>
    session.appendBatch([
      { type: "message", message: userMessage("two") },
      { type: "custom", customType: "x", data: "y" },
    ]),
  (session) => session.moveTo(null),
  (session) => session.sync(),
  (session) => session.appendMessage(userMessage("three")),
  (session) => session.appendCompaction({ summary: "S", firstKeptEntryId: "", tokensBefore: 1 }),
  (session) => session.close(),
];

/** Plays the script; resolves with what was acknowledged, in the order of writing. */
async function play(session: Session): Promise<readonly string[]> {
  for (const action of SCRIPT) await action(session).catch(() => undefined);
  return (await session.getEntries()).map(({ id }) => id);
}

/** The process that is gone when the session is opened again, and the one that opens it. */
const GONE: ProcessInfo = { pid: 1, host: "here", startTimeOf: async () => "start 1" };
const ALIVE: ProcessInfo = {
  pid: 2,
  host: "here",
  startTimeOf: async (pid) => (pid === 2 ? "start 2" : undefined),
};

async function operationsOf(folder: SessionFolder): Promise<number> {
  const files = new FailingFiles(nodeSessionFiles, 0, "throw");
  await play(await folder.repo({ fileSystem: files }).create({ cwd: "/w" }));
  return files.operations;
}

describe.each(["throw", "short", "crash"] as const satisfies readonly Failure[])(
  "an operation that fails with %s",
  (failure) => {
    test("SE-03: at any point of a session loses nothing that was acknowledged, and the file goes on", async () => {
      await using counted = await SessionFolder.create();
      const operations = await operationsOf(counted);
      expect(operations).toBeGreaterThan(SCRIPT.length);
      for (let failAt = 1; failAt <= operations; failAt++) {
        await using folder = await SessionFolder.create();
        const fileSystem = new FailingFiles(nodeSessionFiles, failAt, failure);
        const { directory } = folder;
        const session = await new JsonlRepo({ directory, fileSystem, processInfo: GONE }).create({
          cwd: "/w",
        });
        const acknowledged = await play(session);
        if (acknowledged.length === 0) continue;
        const reopened = await folder.repo({ processInfo: ALIVE }).open(session.path ?? "");
        expect((await reopened.getEntries()).map(({ id }) => id)).toEqual(acknowledged);
        expect(reopened.diagnostics.filter(({ code }) => code !== "unreadable_line")).toEqual([]);
        const next = await reopened.appendMessage(userMessage("next"));
        await reopened.close();
        const last = await folder.repo().open(session.path ?? "", { readOnly: true });
        expect((await last.getEntries()).map(({ id }) => id)).toEqual([...acknowledged, next]);
      }
    });
  },
);
