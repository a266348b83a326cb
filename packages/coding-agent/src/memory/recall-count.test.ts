import { activePins } from "@coppice/compaction";
import { type AnyEntry, type EntryDraft, isEntry, MemoryRepo } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RecallCount, recalledPinId } from "./recall-count.ts";

const recall = (details: unknown, more: object = {}): EntryDraft => ({
  type: "message",
  message: {
    ...{ role: "toolResult", toolCallId: "c", toolName: "recall", isError: false, timestamp: 1 },
    content: [],
    details,
    ...more,
  },
});
const pin = (id: string, removed = false): EntryDraft => ({
  type: "custom",
  customType: "coppice.pin",
  data: { id: recalledPinId(id), text: id, source: "detected", ...(removed ? { removed } : {}) },
});
const compaction = (checkpoint: object): EntryDraft => ({
  type: "compaction",
  ...{ summary: "Gone.", firstKeptEntryId: "", tokensBefore: 1, checkpoint },
});

async function pathOf(drafts: readonly EntryDraft[]): Promise<readonly AnyEntry[]> {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  await session.appendBatch(drafts);
  return session.getBranch();
}

const counted = async (...drafts: readonly EntryDraft[]) =>
  RecallCount.of(await pathOf(drafts)).carried.recalledIds ?? [];

test("each entry that was asked for counts, until it is pinned or unpinned", async () => {
  expect(await counted(recall({ wantedIds: ["a", "b", "a"] }))).toEqual(["a", "b"]);
  expect(await counted(recall({ wantedIds: ["a", "b"] }), pin("a"))).toEqual(["b"]);
  expect(await counted(recall({ wantedIds: ["a"] }), pin("a"), recall({ wantedIds: ["a"] }))).toEqual([]);
  expect(await counted(recall({ wantedIds: ["a"] }), pin("a", true))).toEqual([]);
  expect(await counted(pin("a"), pin("a", true), recall({ wantedIds: ["a"] }))).toEqual(["a"]);
});

test("failed recalls, other tools and fields that hold anything else count nothing", async () => {
  const hostile = [
    undefined,
    null,
    7,
    "a",
    {},
    { wantedIds: "a" },
    { wantedIds: [7, null, "", "x".repeat(65)] },
  ];
  expect(await counted(...hostile.map((details) => recall(details)))).toEqual([]);
  const wanted = { wantedIds: ["a"] };
  expect(await counted(recall(wanted, { isError: true }), recall(wanted, { toolName: "read" }))).toEqual([]);
  expect(await counted(compaction({ recalledIds: "a", pins: 7 }), compaction({ recalledIds: [{}] }))).toEqual(
    [],
  );
});

test("a checkpoint carries the 500 that were recalled last", async () => {
  const ids = Array.from({ length: 510 }, (_, index) => `id${index}`);
  const carried = await counted(recall({ wantedIds: ids }), recall({ wantedIds: ["id0"] }));
  expect(carried).toEqual([...ids.slice(11), "id0"]);
});

type Step = { readonly do: "recall" | "pin" | "unpin"; readonly id: string } | { readonly do: "compact" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constantFrom("recall", "recall", "pin", "unpin"),
      id: fc.constantFrom("a", "b", "c"),
    }),
    weight: 5,
  },
  { arbitrary: fc.constant({ do: "compact" } as const), weight: 1 },
);

test("counted from a checkpoint, from the beginning, and as if nothing had been compacted: the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const session = await new MemoryRepo().create({ cwd: "/project" });
      for (const one of steps) {
        if (one.do === "recall") await session.appendBatch([recall({ wantedIds: [one.id] })]);
        else if (one.do !== "compact") await session.appendBatch([pin(one.id, one.do === "unpin")]);
        else {
          const path = await session.getBranch();
          const { carried } = RecallCount.of(path);
          await session.appendBatch([compaction({ ...carried, pins: activePins(path) })]);
        }
      }
      const path = await session.getBranch();
      const uncompacted = path.filter((entry) => !isEntry(entry, "compaction"));
      const sinceCheckpoint = path.slice(
        Math.max(
          0,
          path.findLastIndex(({ type }) => type === "compaction"),
        ),
      );
      const { carried } = RecallCount.of(uncompacted);
      expect(RecallCount.of(path).carried).toEqual(carried);
      expect(RecallCount.of(sinceCheckpoint).carried).toEqual(carried);
    }),
    { numRuns: 500 },
  );
});
