import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import type { AnyEntry } from "./entry.ts";
import { isSessionError } from "./errors.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { mergeSessions, type SessionCopy } from "./merge-sessions.ts";
import { Session } from "./session.ts";
import { assistantMessage, playSteps, type TreeStep, treeSteps, userMessage } from "./testing/index.ts";

// Many files or many runs: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const header = newHeader({ id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" });
const bytes = (copy: SessionCopy) => encodeHeader(copy.header) + copy.entries.map(encodeEntry).join("");

async function storageOf({ header, entries }: SessionCopy): Promise<MemoryStorage> {
  const storage = new MemoryStorage(header);
  if (entries.length > 0) await storage.append(entries, 0);
  return storage;
}

/** A copy continued by a script; equal starts give equal ids, so that copies clash. */
async function continued(copy: SessionCopy, steps: readonly TreeStep[], startMs = 0): Promise<SessionCopy> {
  let count = copy.entries.length;
  const session = await Session.open(await storageOf(copy), {
    newId: () => `id${count++}`,
    now: () => 1_767_225_600_000 + startMs + count,
  });
  await playSteps(session, steps);
  return { header, entries: await session.getEntries() };
}

async function open(copy: SessionCopy): Promise<Session> {
  return Session.open(await storageOf(copy));
}

const EMPTY: SessionCopy = { header, entries: [] };
const says = (...texts: string[]): readonly TreeStep[] => texts.map((text) => ({ do: "user", text }));

describe("two copies of one session", () => {
  test("become one tree; the position is that of the newer copy, the other gets a label", async () => {
    const base = await continued(EMPTY, says("a", "b"));
    const [left, right] = [await continued(base, says("left")), await continued(base, says("right"), 1000)];
    const merged = await open(mergeSessions(left, right));
    const texts = (await merged.buildContext()).messages.map((m) =>
      JSON.stringify("content" in m && m.content),
    );
    expect(texts.map((text) => /"(a|b|left|right)"/.exec(text)?.[1])).toEqual(["a", "b", "right"]);
    const tips = await merged.getChildren("id1");
    expect(await Promise.all(tips.map(async ({ id }) => [id, await merged.getLabel(id)]))).toEqual(
      expect.arrayContaining([
        [merged.getLeafId(), undefined],
        [expect.anything(), "other copy"],
      ]),
    );
    expect([tips.length, merged.diagnostics]).toEqual([2, []]);
  });

  test("keep what was said in both once, and whatever refers to a renamed entry", async () => {
    const base = await continued(EMPTY, says("a"));
    const left = await continued(base, says("left", "more left"));
    const right = await continued(base, says("right", "more right"), 1000);
    const merged = await open(mergeSessions(left, right));
    const parents = new Map((await merged.getEntries()).map((entry) => [entry.id, entry.parentId]));
    const isSound = [...parents.values()].every((parent) => parent === null || parents.has(parent));
    const messages = (await merged.getEntries()).filter(({ type }) => type === "message");
    expect([messages.length, isSound]).toEqual([5, true]);
    const renamedIds = messages.filter((entry) => "originalId" in entry);
    expect(renamedIds.map((entry) => (entry as { originalId?: string }).originalId)).toEqual(["id1", "id2"]);
  });

  test("of which one is behind the other are the other, without a label", async () => {
    const base = await continued(EMPTY, says("a", "b"));
    const ahead = await continued(base, says("c"));
    expect(bytes(mergeSessions(base, ahead))).toBe(bytes(mergeSessions(ahead, ahead)));
    expect(mergeSessions(base, ahead).entries).toEqual(ahead.entries);
  });

  test("of which one lost a line to damage become whole again", async () => {
    const whole = await continued(EMPTY, says("a", "b", "c", "d"));
    const damaged = { header, entries: whole.entries.filter(({ id }) => id !== "id1") };
    expect(mergeSessions(damaged, whole).entries).toEqual(whole.entries);
  });

  test("continued after a merge by a program that hangs entries on its labels can be merged again", async () => {
    const base = await continued(EMPTY, says("a"));
    const left = await continued(base, says("left"));
    const merged = mergeSessions(left, await continued(base, says("right"), 1000));
    const label = merged.entries.find(({ type }) => type === "label");
    const foreign = {
      type: "message",
      id: "f",
      parentId: label?.id ?? "",
      timestamp: "2027-01-01T00:00:00.000Z",
      message: assistantMessage("f"),
    } as AnyEntry;
    const again = await open(mergeSessions({ header, entries: [...merged.entries, foreign] }, left));
    expect(again.getLeafId()).toBe("f");
    expect((await again.buildContext()).messages.slice(1)).toEqual([
      userMessage("left"),
      assistantMessage("f"),
    ]);
  });

  test("are refused when they are not of one session", () => {
    const other = { header: { ...header, id: "other" }, entries: [] };
    expect(() => mergeSessions(EMPTY, other)).toThrow(
      expect.toSatisfy((error: unknown) => isSessionError(error, "other_session")),
    );
  });
});

describe("the union of any copies, clashing ids included, is byte for byte", () => {
  const script = fc.array(fc.nat(10_000), { maxLength: 15 }).map(treeSteps);
  const copies = fc
    .tuple(script, fc.array(fc.tuple(script, fc.nat(30)), { minLength: 3, maxLength: 3 }))
    .map(async ([start, branches]) => {
      const base = await continued(EMPTY, start);
      return Promise.all(branches.map(([steps, delayMs]) => continued(base, steps, delayMs)));
    });
  const holds = (check: (a: SessionCopy, b: SessionCopy, c: SessionCopy) => void) =>
    fc.assert(
      fc.asyncProperty(copies, async (made) => {
        const [a = EMPTY, b = EMPTY, c = EMPTY] = await made;
        check(a, b, c);
      }),
      { numRuns: 200 },
    );

  test("commutative", () =>
    holds((a, b) => {
      expect(bytes(mergeSessions(a, b))).toBe(bytes(mergeSessions(b, a)));
    }));

  test("associative", () =>
    holds((a, b, c) => {
      const left = mergeSessions(mergeSessions(a, b), c);
      expect(bytes(left)).toBe(bytes(mergeSessions(a, mergeSessions(b, c))));
    }));

  test("idempotent", () =>
    holds((a, b) => {
      const merged = mergeSessions(a, b);
      for (const again of [merged, a, b]) expect(bytes(mergeSessions(merged, again))).toBe(bytes(merged));
    }));

  test("sound: no entry is lost, none refers to nothing, and the position is that of the newer copy", async () => {
    await fc.assert(
      fc.asyncProperty(copies, async (made) => {
        const [a = EMPTY, b = EMPTY] = await made;
        const merged = await open(mergeSessions(a, b));
        expect(merged.diagnostics).toEqual([]);
        const messages = (entries: readonly AnyEntry[]) =>
          new Set(
            entries.flatMap((e) => (e.type === "message" ? [JSON.stringify([e.timestamp, e.message])] : [])),
          );
        expect(messages(await merged.getEntries())).toEqual(messages([...a.entries, ...b.entries]));
        const seen = async (copy: SessionCopy) => {
          const { messages } = await (await open(copy)).buildContext();
          return messages.map((message) => ({ ...message, fromId: "" }));
        };
        const contexts = await Promise.all([a, b].map(seen));
        expect(contexts).toContainEqual(await seen(mergeSessions(a, b)));
      }),
      { numRuns: 100 },
    );
  });
});
