import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { newHeader } from "./codec.ts";
import { buildContext } from "./context.ts";
import { deriveSessionContextState } from "./context-state.ts";
import { type AnyEntry, isEntry } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { MemoryRepo } from "./memory-repo.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { Session } from "./session.ts";
import { assistantMessage, playSteps, treeSteps, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

// Many files or many runs: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const header = newHeader({ id: "s-1", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" });

/** A memory store whose appends fail while `isBroken`. */
class FragileStorage extends MemoryStorage {
  isBroken = false;

  override async append(entries: readonly AnyEntry[], expectedEnd: number): Promise<number> {
    if (this.isBroken) throw new SessionError({ code: "io", message: "disk full" });
    return super.append(entries, expectedEnd);
  }
}

describe("appending", () => {
  test("B016: keeps the order of the calls, whatever runs between them", async () => {
    const session = await Session.open(new MemoryStorage(header));
    const call = session.appendMessage(assistantMessage("call"));
    await Promise.resolve();
    const result = session.appendMessage(userMessage("result"));
    expect((await session.getEntry(await result))?.parentId).toBe(await call);
  });

  test("B024, SE-03: leaves memory as the store is when a write fails, and goes on afterwards", async () => {
    const storage = new FragileStorage(header);
    const session = await Session.open(storage);
    const first = await session.appendMessage(userMessage("one"));
    storage.isBroken = true;
    const failed = await Promise.allSettled([
      session.appendMessage(userMessage("two")),
      session.appendMessage(userMessage("three")),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([session.getLeafId(), (await session.getEntries()).length]).toEqual([first, 1]);
    storage.isBroken = false;
    const next = await session.appendMessage(userMessage("two"));
    expect([(await session.getEntry(next))?.parentId, storage.size]).toEqual([first, 2]);
  });

  test("fails what is queued behind a failed write, since it was meant to follow it", async () => {
    const storage = new FragileStorage(header);
    const session = await Session.open(storage);
    storage.isBroken = true;
    const first = session.appendMessage(userMessage("one"));
    await Promise.resolve();
    const second = session.appendMessage(userMessage("two"));
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("rejects an item that makes no sense without touching its neighbours", async () => {
    const session = await Session.open(new MemoryStorage(header));
    const outcomes = await Promise.allSettled([
      session.appendMessage(userMessage("one")),
      session.appendBatch([
        { type: "custom", customType: "x" },
        { type: "label", targetId: "nowhere", label: "x" },
      ]),
      session.appendMessage(userMessage("two")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await session.getBranch()).map(({ type }) => type)).toEqual(["message", "message"]);
  });

  test("SE-18: takes another id when the random source repeats itself", async () => {
    const ids = ["a", "a", "a", "b"];
    const session = await Session.open(new MemoryStorage(header), { newId: () => ids.shift() ?? "c" });
    const made = [
      await session.appendMessage(userMessage("1")),
      await session.appendMessage(userMessage("2")),
    ];
    expect(made).toEqual(["a", "b"]);
  });

  test("refuses an empty summary and drops a retained tail", async () => {
    const session = await Session.open(new MemoryStorage(header));
    const fields = { firstKeptEntryId: "", tokensBefore: 1, retainedTail: [userMessage("tail")] };
    await expect(session.appendCompaction({ ...fields, summary: "  " })).rejects.toMatchObject({
      code: "invalid_entry",
    });
    const entry = await session.getEntry(await session.appendCompaction({ ...fields, summary: "S" }));
    expect(Object.keys(entry ?? {})).not.toContain("retainedTail");
  });

  test("writes a leaf entry with its target as parent, and none for a move to where one is", async () => {
    const session = await Session.open(new MemoryStorage(header));
    const first = await session.appendMessage(userMessage("1"));
    await session.moveTo(first);
    await session.appendMessage(userMessage("2"));
    await session.moveTo(first);
    const leaves = (await session.getEntries()).filter((entry) => isEntry(entry, "leaf"));
    expect(leaves.map(({ parentId, targetId }) => [parentId, targetId])).toEqual([[first, first]]);
  });
});

test("a name from long before is carried by a new checkpoint, and a stale one handed in is not", async () => {
  const storage = new MemoryStorage(header, { pageEntries: 3 });
  const first = await Session.open(storage);
  await first.appendSessionName("Old name");
  await first.appendThinkingLevelChange("low");
  for (let index = 0; index < 9; index++) await first.appendMessage(userMessage(`${index}`));
  const systemMessage = { role: "system", content: "", timestamp: 1 } as const;
  await first.appendThinkingLevelChange("high");
  await first.appendModelChange("p", "m");
  const kept = (await first.getBranch()).at(-2)?.id ?? "";
  await first.appendCompaction({
    summary: "foreign",
    firstKeptEntryId: kept,
    tokensBefore: 1,
    systemMessage,
  });

  const second = await Session.open(storage);
  const checkpoint = { sessionName: "Stale name" };
  const id = await second.appendCompaction({
    summary: "ours",
    firstKeptEntryId: "",
    tokensBefore: 1,
    checkpoint,
  });
  expect(((await second.getEntry(id)) as { checkpoint?: unknown }).checkpoint).toEqual({
    sessionName: "Old name",
  });
  expect(await (await Session.open(storage)).getName()).toBe("Old name");
});

describe("any session", () => {
  const scripts = fc.array(fc.nat(10_000), { maxLength: 40 }).map(treeSteps);

  test("gives the same context step by step as in one go, and its tree holds every entry once", async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (steps) => {
        const session = await Session.open(new MemoryStorage(header));
        for (const step of steps) {
          await playSteps(session, [step]);
          const path = await session.getBranch();
          expect(await session.buildContext()).toEqual(buildContext(path));
          expect(deriveSessionContextState(path)).toEqual(
            deriveSessionContextState(await session.getBranch()),
          );
        }
        const seen: string[] = [];
        const visit = (nodes: Awaited<ReturnType<Session["getTree"]>>): void => {
          for (const { entry, children } of nodes) {
            seen.push(entry.id);
            visit(children);
          }
        };
        visit(await session.getTree());
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: 60 },
    );
  });

  test("opened from its end, whatever the size of a page, is where the whole is and goes on as the whole does", async () => {
    await fc.assert(
      fc.asyncProperty(scripts, scripts, fc.integer({ min: 1, max: 9 }), async (steps, more, pageEntries) => {
        const counter = () => {
          let next = 0;
          return () => `id${next++}`;
        };
        const options = { newId: counter(), now: () => 1_767_225_600_000 };
        const storage = new MemoryStorage(header, { pageEntries });
        const whole = await Session.open(storage, options);
        await playSteps(whole, steps);
        const state = async (session: Session) => [
          session.getLeafId(),
          await session.buildContext(),
          await session.getName(),
        ];
        const tail = await Session.open(storage, options);
        expect(await state(tail)).toEqual(await state(whole));
        await playSteps(tail, more);
        expect(await state(await Session.open(storage))).toEqual(await state(tail));
        const again = await Session.open(storage);
        expect(await again.getEntries()).toEqual(await tail.getEntries());
        expect(await state(again)).toEqual(await state(tail));
      }),
      { numRuns: 150 },
    );
  });

  test("opened from its end, branches from an entry there whose own branch lies further back", async () => {
    const storage = new MemoryStorage(header, { pageEntries: 1 });
    const whole = await Session.open(storage);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push(await whole.appendMessage(userMessage(`${index}`)));
    await whole.moveTo(null);
    for (let index = 0; index < 2; index++) await whole.appendMessage(userMessage("another root"));
    for (const isIndexed of [false, true]) {
      const tail = await Session.open(storage);
      if (isIndexed) await tail.buildIndex();
      const summary = await tail.branchWithSummary(ids[2] ?? "", { summary: "S" });
      const { entries } = await tail.buildContext();
      expect(entries.map(({ entry }) => entry.id)).toEqual([...ids, summary]);
      await tail.moveTo((await tail.getChildren(null))[1]?.id ?? null);
      await tail.appendMessage(userMessage("on"));
      await tail.appendMessage(userMessage("and on"));
    }
  });

  test("is the same in files and in memory, opened again, and forked", async () => {
    await using folder = await SessionFolder.create();
    await fc.assert(
      fc.asyncProperty(scripts, async (steps) => {
        const ids = () => {
          let next = 0;
          return () => `id${next++}`;
        };
        const now = () => 1_767_225_600_000;
        const memory = await new MemoryRepo({ newId: ids(), now }).create({ cwd: "/w" });
        const repo = folder.repo({ newId: ids(), now });
        const filed = await repo.create({ cwd: "/w" });
        await playSteps(memory, steps);
        await playSteps(filed, steps);
        const expected = { ...(await memory.buildContext()), leaf: memory.getLeafId() };
        expect({ ...(await filed.buildContext()), leaf: filed.getLeafId() }).toEqual(expected);
        if ((await memory.getEntries()).length === 0) return;
        await filed.close();
        const again = await repo.open(filed.path ?? "");
        expect({ ...(await again.buildContext()), leaf: again.getLeafId() }).toEqual(expected);
        expect(again.diagnostics).toEqual([]);
        const forked = await (await repo.fork(again)).buildContext();
        expect(forked.messages).toEqual(expected.messages);
        await repo.closeAll();
      }),
      { numRuns: 30 },
    );
  });
});
