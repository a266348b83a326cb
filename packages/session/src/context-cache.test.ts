import { expect, onTestFinished, test, vi } from "vitest";
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

/** Counts the items of arrays that are copied from now on. */
function countCopies(): { items: number } {
  const count = { items: 0 };
  const { concat, slice } = Array.prototype;
  const counted = (copy: typeof concat | typeof slice) =>
    function (this: unknown[], ...rest: unknown[]): unknown[] {
      const made: unknown[] = Reflect.apply(copy, this, rest);
      count.items += made.length;
      return made;
    };
  const spies = [
    vi.spyOn(Array.prototype, "concat").mockImplementation(counted(concat) as typeof concat),
    vi.spyOn(Array.prototype, "slice").mockImplementation(counted(slice) as typeof slice),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return count;
}

test("the lists of a context are copied only when they are looked at after they grew", async () => {
  const { session } = await counted(3000);
  const copied = countCopies();
  const first = await session.buildContext();
  const [messages, entries] = [first.messages, first.entries];
  expect([messages.length, entries.length]).toEqual([3000, 3000]);
  await session.appendModelChange("p", "m");
  for (let round = 0; round < 100; round++) expect((await session.buildContext()).messages).toBe(messages);
  expect((await session.buildContext()).entries).toBe(entries);
  expect(copied.items).toBeLessThan(100);

  for (let round = 0; round < 100; round++) {
    await session.appendCustomEntry("note", round);
    await session.buildContext();
  }
  expect(copied.items).toBeLessThan(2000);
  copied.items = 0;
  expect((await session.buildContext()).messages.length).toBe(3100);
  expect((await session.buildContext()).messages.length).toBe(3100);
  expect(copied.items).toBe(3100);
  expect([messages.length, entries.length]).toEqual([3000, 3000]);
});

test("a context that is looked at late is what it was when it was made", async () => {
  const { session } = await counted(3);
  const contexts = [await session.buildContext()];
  for (let round = 0; round < 4; round++) {
    await session.appendCustomEntry("note", round);
    contexts.push(await session.buildContext());
  }
  const lengths = (order: readonly number[]) => order.map((at) => contexts[at]?.messages.length);
  expect(lengths([1, 4, 0, 3, 2])).toEqual([4, 7, 3, 6, 5]);
  expect(contexts.map(({ entries }) => entries.length)).toEqual([3, 4, 5, 6, 7]);
  await session.appendCustomEntry("note", "more");
  expect((await session.buildContext()).messages.length).toBe(8);
  expect(lengths([0, 1, 2, 3, 4])).toEqual([3, 4, 5, 6, 7]);
});
