import type { CompactionResult } from "@coppice/compaction";
import { assistantMessage } from "@coppice/compaction/testing";
import { activeCompaction, type EntryDraft, MemoryRepo, type Session } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { storeCompaction } from "../store-compaction.ts";
import { CompactionHistory } from "./compaction-history.ts";

const NOW = 1_800_000_000_000;
const newSession = () => new MemoryRepo({ now: () => NOW }).create({ cwd: "/project" });

const user = (text: string): EntryDraft => ({
  type: "message",
  message: { role: "user", content: text, timestamp: 1 },
});
const answer = (text: string): EntryDraft => ({ type: "message", message: assistantMessage(text) });
const result = (text: string): EntryDraft => ({
  type: "message",
  message: {
    ...{ role: "toolResult", toolCallId: "c", toolName: "read", isError: false, timestamp: 1 },
    content: [{ type: "text", text }],
  },
});

interface Compacting {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly shorten?: readonly string[];
  readonly hide?: readonly string[];
}

/** Stores a compaction as the harness does. */
async function compact(session: Session, { summary, firstKeptEntryId, shorten = [], hide = [] }: Compacting) {
  const made: CompactionResult = {
    ...{ summary, firstKeptEntryId, tokensBefore: 1, tokensAfter: 1, retainedTail: [] },
    ...{ details: { readFiles: [], modifiedFiles: [] }, usage: undefined, isExtract: false },
    checkpoint: { pins: [{ id: "p", text: "a rule", source: "user" }] },
    shortenings: shorten.map((targetId) => ({ targetId, text: "short" })),
  };
  const options = { session, result: made, fromHook: false, isPaid: false, leafId: session.getLeafId() };
  const path = await session.getBranch();
  return storeCompaction({ ...options, path, hiddenEntryIds: hide, systemMessage: undefined });
}

/** All that decides on the next request. */
async function request(session: Session): Promise<string> {
  const { messages, model, thinkingLevel, activeToolNames } = await session.buildContext();
  return JSON.stringify({ messages, model, thinkingLevel, activeToolNames });
}

type Step =
  | { readonly do: "say"; readonly draft: EntryDraft }
  | { readonly do: "edit"; readonly target: number; readonly text: string | null }
  | { readonly do: "label"; readonly target: number }
  | { readonly do: "move"; readonly target: number };

const index = fc.nat(99);
const say = fc
  .tuple(fc.constantFrom(user, answer, result), fc.string({ maxLength: 8 }))
  .map(([draft, text]): Step => ({ do: "say", draft: draft(text) }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: say, weight: 8 },
  {
    arbitrary: fc
      .constantFrom<EntryDraft>(
        { type: "model_change", provider: "p", modelId: "m" },
        { type: "thinking_level_change", thinkingLevel: "high" },
        { type: "custom", customType: "coppice.pin", data: { id: "q", text: "x", source: "user" } },
        { type: "custom_message", customType: "note", content: "note", display: true },
      )
      .map((draft): Step => ({ do: "say", draft })),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constant("label" as const), target: index }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      target: index,
      text: fc.constantFrom(null, "edited", "edited again"),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ do: fc.constant("move" as const), target: index }), weight: 1 },
);

/** A session with its entries by number, so that one step means the same in two sessions. */
class Numbered {
  readonly session: Session;
  readonly ids: string[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  at(target: number): string | undefined {
    return this.ids[target % Math.max(1, this.ids.length)];
  }

  /** An entry of the branch: boundaries are checked before they are stored. */
  async onBranch(target: number): Promise<string> {
    const branch = await this.session.getBranchIds();
    return branch[target % Math.max(1, branch.length)] ?? "";
  }

  async apply(one: Step): Promise<void> {
    const { session } = this;
    const target = one.do === "say" ? undefined : this.at(one.target);
    if (one.do === "say") this.ids.push(...(await session.appendBatch([one.draft])));
    else if (target === undefined) return;
    else if (one.do === "label") await session.appendLabel(target, "label");
    else if (one.do === "move") await session.moveTo(target);
    else await session.appendContextEdit(target, one.text === null ? null : { content: one.text });
  }
}

const tree = fc.record({
  before: fc.array(step, { maxLength: 6 }),
  earlier: fc.option(index),
  between: fc.array(step, { maxLength: 3 }),
  kept: index,
  shorten: fc.array(index, { maxLength: 2 }),
  hide: fc.array(index, { maxLength: 1 }),
  after: fc.array(step, { maxLength: 3 }),
  behind: fc.array(say, { maxLength: 2 }),
});

test("after undo the next request is byte-equal to that of a twin that never compacted; redo and undo alternate (10,000 trees)", async () => {
  await fc.assert(
    fc.asyncProperty(tree, async ({ before, earlier, between, kept, shorten, hide, after, behind }) => {
      const real = new Numbered(await newSession());
      const twin = new Numbered(await newSession());
      for (const side of [real, twin]) {
        await side.apply({ do: "say", draft: user("first") });
        for (const one of before) await side.apply(one);
        if (earlier !== null) {
          const firstKeptEntryId = await side.onBranch(earlier);
          await compact(side.session, { summary: "earlier", firstKeptEntryId });
        }
        for (const one of between) await side.apply(one);
      }
      const compactionId = await compact(real.session, {
        summary: "under test",
        firstKeptEntryId: await real.onBranch(kept),
        shorten: shorten.flatMap((target) => real.at(target) ?? []),
        hide: hide.flatMap((target) => real.at(target) ?? []),
      });
      for (const side of [real, twin]) for (const one of after) await side.apply(one);
      const isInForce = async () => activeCompaction(await real.session.getBranch())?.id === compactionId;
      if (!(await isInForce())) return;
      const history = new CompactionHistory(real.session);
      const compacted = await request(real.session);
      const without = await request(twin.session);
      expect((await history.undo()).entryId).toBe(compactionId);
      expect(await request(real.session)).toBe(without);
      expect(await history.redo()).toBe(compactionId);
      expect(await request(real.session)).toBe(compacted);
      await history.undo();
      expect(await request(real.session)).toBe(without);
      for (const side of [real, twin]) for (const one of behind) await side.apply(one);
      expect(await request(real.session)).toBe(await request(twin.session));
      await history.redo();
      const { messages } = await real.session.buildContext();
      expect(messages[0]).toMatchObject({ role: "compactionSummary", summary: "under test" });
      const newest = (all: readonly unknown[]) => all.slice(all.length - behind.length);
      expect(newest(messages)).toEqual(newest((await twin.session.buildContext()).messages));
    }),
    { numRuns: 10_000 },
  );
}, 600_000);

test("several compactions are undone from the newest to the oldest and come back in the other order", async () => {
  const session = await newSession();
  const contexts: string[] = [];
  const undone: string[] = [];
  for (const text of ["one", "two", "three"]) {
    const [id = ""] = await session.appendBatch([user(text)]);
    await session.appendBatch([answer(text)]);
    contexts.push(await request(session));
    undone.unshift(await compact(session, { summary: text, firstKeptEntryId: id, shorten: [id] }));
  }
  const history = new CompactionHistory(session);
  const last = await request(session);
  for (const id of undone) expect((await history.undo()).entryId).toBe(id);
  expect((await session.buildContext()).messages).toHaveLength(6);
  await expect(history.undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
  for (const id of undone.toReversed().slice(0, 2)) expect(await history.redo()).toBe(id);
  // The third one hung on what is no longer the end of the branch: it comes back as a copy.
  expect(undone).not.toContain(await history.redo());
  expect(await request(session)).toBe(last);
  await expect(history.redo()).rejects.toMatchObject({ code: "nothing_to_redo" });
  expect(contexts).toHaveLength(3);
});

test("a compaction that a newer one has replaced does not come back", async () => {
  const session = await newSession();
  const [id = ""] = await session.appendBatch([user("one")]);
  await compact(session, { summary: "old", firstKeptEntryId: id });
  const history = new CompactionHistory(session);
  await history.undo();
  await session.appendBatch([user("two")]);
  await compact(session, { summary: "new", firstKeptEntryId: id });
  await session.appendBatch([user("three")]);
  await expect(history.redo()).rejects.toMatchObject({ code: "nothing_to_redo" });
  await history.undo();
  await history.redo();
  expect((await session.buildContext()).messages[0]).toMatchObject({ summary: "new" });
});

test("a copy speaks for the state of now and keeps the turns that came since, also where the first kept nothing", async () => {
  const session = await newSession();
  await session.appendBatch([user("one"), answer("two")]);
  await compact(session, { summary: "all", firstKeptEntryId: "" });
  const history = new CompactionHistory(session);
  await history.undo();
  await session.appendBatch([
    { type: "custom", customType: "coppice.pin", data: { id: "q", text: "new rule", source: "user" } },
    { type: "model_change", provider: "p", modelId: "later" },
    user("three"),
  ]);
  const id = await history.redo();
  const { messages } = await session.buildContext();
  expect(messages.map(({ role }) => role)).toEqual(["compactionSummary", "user"]);
  expect(await session.getEntry(id)).toMatchObject({
    checkpoint: { pins: [{ id: "q" }], model: { provider: "p", modelId: "later" } },
  });
});
