import { readFile } from "node:fs/promises";
import { type AssistantMessage, assemble, type StreamEvent, type Usage, ZERO_USAGE } from "@coppice/ai";
import { expect, test } from "vitest";
import { isSessionError } from "./errors.ts";
import type { Session } from "./session.ts";
import { assistantMessage, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

// Faults that show in an agent and that its store must not have a part in.

test("B029: a call that was streamed in three deltas is stored with its documented keys only", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const block = { type: "toolCall", id: "t", name: "read", arguments: { path: "a" } } as const;
  const deltas = ['{"pa', 'th":', '"a"}'];
  const events: readonly StreamEvent[] = [
    { type: "start", message: assistantMessage("", { content: [], stopReason: "toolUse" }) },
    { type: "toolcall_start", contentIndex: 0, id: "t", name: "read" },
    ...deltas.map((delta) => ({ type: "toolcall_delta", contentIndex: 0, delta }) as const),
    { type: "toolcall_end", contentIndex: 0, block },
  ];
  let message: AssistantMessage | undefined;
  for (const event of events) message = assemble(message, event);
  await session.appendMessage(message as AssistantMessage);
  const stored = JSON.parse((await readFile(session.path ?? "", "utf8")).split("\n")[1] ?? "");
  expect(stored.message.content).toEqual([block]);
  expect(Object.keys(stored.message).sort()).toEqual(Object.keys(assistantMessage("")).sort());
});

test("SE-15: a move among appends takes its place in the order of the calls; one that fails changes nothing", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const first = await session.appendMessage(userMessage("first"));
  const before = session.appendMessage(userMessage("before"));
  const failed = session.moveTo("nowhere").catch((error: unknown) => error);
  const move = session.moveTo(first);
  const after = session.appendMessage(userMessage("after"));
  await move;
  expect(await failed).toSatisfy((error: unknown) => isSessionError(error, "unknown_entry"));
  const parents = await Promise.all(
    [before, after].map(async (id) => (await session.getEntry(await id))?.parentId),
  );
  expect([parents, session.getLeafId()]).toEqual([[first, first], await after]);
  const entries = await session.getEntries();
  await session.moveTo("nowhere").catch(() => undefined);
  expect([await session.getEntries(), session.getLeafId()]).toEqual([entries, await after]);
});

test("SE-20: the usage of every kind that bears one is there for a total, on every branch, after a compaction and a restart", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const usage: Usage = { ...ZERO_USAGE, input: 1, totalTokens: 1 };
  const first = await session.appendMessage(userMessage("a"));
  await session.appendMessage(assistantMessage("left", { usage }));
  await session.branchWithSummary(first, { summary: "left", usage });
  await session.appendMessage({
    role: "toolResult",
    toolCallId: "t",
    toolName: "x",
    content: [],
    isError: false,
    usage,
    timestamp: 1,
  });
  await session.appendUsage({ kind: "title", provider: "p", model: "m", usage });
  await session.appendCompaction({ summary: "S", firstKeptEntryId: "", tokensBefore: 1, usage });
  await session.close();
  const again = await folder.repo().open(session.id);
  const total = (await again.getEntries()).reduce((sum, entry) => sum + usageIn(entry), 0);
  expect(total).toBe(5);
});

function usageIn(entry: object): number {
  const { usage, message } = entry as { usage?: Usage; message?: { usage?: Usage } };
  return (usage ?? message?.usage)?.totalTokens ?? 0;
}

const writes: Readonly<Record<string, (session: Session, id: string) => Promise<unknown>>> = {
  appendMessage: (session) => session.appendMessage(userMessage("x")),
  appendCustomEntry: (session) => session.appendCustomEntry("x"),
  appendLabel: (session, id) => session.appendLabel(id, "x"),
  appendSessionName: (session) => session.appendSessionName("x"),
  appendBatch: (session) => session.appendBatch([{ type: "session_info", name: "x" }]),
  moveTo: (session) => session.moveTo(null),
  branchWithSummary: (session, id) => session.branchWithSummary(id, { summary: "x" }),
};

test.each(Object.entries(writes))(
  "SE-23: %s through a handle on a session that was replaced is refused, and reaches neither session",
  async (_name, write) => {
    await using folder = await SessionFolder.create();
    const repo = folder.repo();
    const old = await repo.create({ cwd: "/w" });
    const id = await old.appendMessage(userMessage("a"));
    const next = await repo.fork(old);
    await old.close();
    const files = await Promise.all([old, next].map(({ path }) => readFile(path ?? "", "utf8")));
    await expect(write(old, id)).rejects.toSatisfy((error: unknown) => isSessionError(error, "closed"));
    expect(await Promise.all([old, next].map(({ path }) => readFile(path ?? "", "utf8")))).toEqual(files);
    expect((await next.getEntries()).length).toBe(1);
  },
);
