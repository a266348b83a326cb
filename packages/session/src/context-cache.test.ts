import { expect, test } from "vitest";
import { newHeader } from "./codec.ts";
import type { AnyEntry } from "./entry.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { Session } from "./session.ts";
import { userMessage } from "./testing/index.ts";

const header = newHeader({ id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" });

/** A session of `count` notes whose projector says which it was asked for. */
async function counted(count: number): Promise<{ session: Session; projected: string[] }> {
  const projected: string[] = [];
  const note = (entry: AnyEntry) => {
    projected.push(entry.id);
    return [userMessage("note")];
  };
  const session = await Session.open(new MemoryStorage(header), { projectors: { note } });
  await Promise.all(Array.from({ length: count }, (_, index) => session.appendCustomEntry("note", index)));
  return { session, projected };
}

test("a context of an open session projects what is new since the last one, however long the branch is", async () => {
  const { session, projected } = await counted(3000);
  await session.buildContext();
  expect(projected.length).toBe(3000);
  for (let round = 1; round <= 100; round++) {
    projected.length = 0;
    const id = await session.appendCustomEntry("note", round);
    const { messages } = await session.buildContext();
    expect([messages.length, projected]).toEqual([3000 + round, [id]]);
  }
});

test("a context without anything new projects nothing, and is the one of before", async () => {
  const { session, projected } = await counted(10);
  const before = await session.buildContext();
  projected.length = 0;
  await session.appendLabel(session.getLeafId() ?? "", "here");
  const after = await session.buildContext();
  expect([projected, after.messages, after.entries]).toEqual([[], before.messages, before.entries]);
});

test("a context after a move, an edit or a compaction is built again", async () => {
  const { session, projected } = await counted(5);
  const ids = (await session.getBranch()).map(({ id }) => id);
  await session.buildContext();
  projected.length = 0;
  await session.moveTo(ids[2] ?? null);
  expect([(await session.buildContext()).messages.length, projected]).toEqual([3, ids.slice(0, 3)]);
  await session.appendContextEdit(ids[0] ?? "", null);
  expect((await session.buildContext()).messages.length).toBe(2);
  await session.appendCompaction({ summary: "S", firstKeptEntryId: ids[2] ?? "", tokensBefore: 1 });
  expect((await session.buildContext()).messages.length).toBe(2);
});
