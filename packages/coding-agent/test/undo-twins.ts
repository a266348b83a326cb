import assert from "node:assert/strict";
import { convertToLlm } from "@coppice/agent";
import { scriptedModel } from "@coppice/ai/testing";
import type { CompactionResult } from "@coppice/compaction";
import { assistantMessage } from "@coppice/compaction/testing";
import { activeCompaction, type EntryDraft, MemoryRepo, type Session } from "@coppice/session";
import fc from "fast-check";
import { CompactionHistory } from "../src/memory/compaction-history.ts";
import { storeCompaction } from "../src/store-compaction.ts";
import { createScenario } from "../src/testing/scenario.ts";

const NOW = 1_800_000_000_000;
/** In memory, with a clock that stands still. */
export const newSession = () => new MemoryRepo({ now: () => NOW }).create({ cwd: "/project" });

/** What a person says; an answer; a result of a call of `read`. */
export const user = (text: string): EntryDraft => ({
  type: "message",
  message: { role: "user", content: text, timestamp: 1 },
});
export const answer = (text: string): EntryDraft => ({ type: "message", message: assistantMessage(text) });
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
export async function compact(
  session: Session,
  { summary, firstKeptEntryId, shorten = [], hide = [] }: Compacting,
) {
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

/** The request that a model would get now, byte for byte: what the dry run shows, prompt and tools of the host aside. */
export async function nextRequest(session: Session): Promise<string> {
  const { messages, model, thinkingLevel, activeToolNames, systemMessage } = await session.buildContext();
  return JSON.stringify({
    ...{ model, thinkingLevel, activeToolNames, systemMessage },
    messages: convertToLlm(messages),
  });
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

type Tree = typeof tree extends fc.Arbitrary<infer Value> ? Value : never;

/** One tree in two sessions: `real` compacted, `twin` did not; both stand behind the same turns. */
interface Twins {
  readonly real: Numbered;
  readonly twin: Numbered;
  readonly compactionId: string;
}

async function growTwins({ before, earlier, between, kept, shorten, hide, after }: Tree): Promise<Twins> {
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
  const placeOfTwin = twin.session.getLeafId();
  const compactionId = await compact(real.session, {
    summary: "under test",
    firstKeptEntryId: await real.onBranch(kept),
    shorten: shorten.flatMap((target) => real.at(target) ?? []),
    hide: hide.flatMap((target) => real.at(target) ?? []),
  });
  for (const side of [real, twin]) for (const one of after) await side.apply(one);
  // Who left the branch of the compaction comes back: elsewhere there is nothing to undo.
  if (activeCompaction(await real.session.getBranch())?.id !== compactionId) {
    await real.session.moveTo(compactionId);
    await twin.session.moveTo(placeOfTwin);
  }
  return { real, twin, compactionId };
}

async function undoAndRedo({ real, twin, compactionId }: Twins, { behind }: Tree): Promise<void> {
  const history = new CompactionHistory(real.session);
  const compacted = await nextRequest(real.session);
  const without = await nextRequest(twin.session);
  assert.notEqual(compacted, without);
  assert.equal((await history.undo()).entryId, compactionId);
  assert.equal(await nextRequest(real.session), without);
  assert.equal(await history.redo(), compactionId);
  assert.equal(await nextRequest(real.session), compacted);
  await history.undo();
  assert.equal(await nextRequest(real.session), without);
  for (const side of [real, twin]) for (const one of behind) await side.apply(one);
  assert.equal(await nextRequest(real.session), await nextRequest(twin.session));
  await history.redo();
  const { messages } = await real.session.buildContext();
  const [first] = messages;
  assert.equal(first?.role === "compactionSummary" && first.summary, "under test");
  const newest = (all: readonly unknown[]) => all.slice(all.length - behind.length);
  assert.deepEqual(newest(messages), newest((await twin.session.buildContext()).messages));
}

/**
 * Undoes a compaction in so many random trees, brings it back and undoes it again, each time comparing the next request
 * with that of a twin that never compacted. Resolves with the trees compared; rejects with the first that differs.
 */
export async function compareUndoTwins(trees: number): Promise<number> {
  let compared = 0;
  const property = fc.asyncProperty(tree, async (one) => {
    await undoAndRedo(await growTwins(one), one);
    compared++;
  });
  await fc.assert(property, { numRuns: trees });
  return compared;
}

/**
 * The same with whole agents, opened on both sessions after the undo: the requests that they would send are compared,
 * system prompt, tools and a next message included.
 */
export async function compareUndonePreviews(trees: number): Promise<number> {
  let compared = 0;
  const property = fc.asyncProperty(tree, async (one) => {
    const { real, twin } = await growTwins(one);
    await new CompactionHistory(real.session).undo();
    assert.equal(await previewed(real.session), await previewed(twin.session));
    compared++;
  });
  await fc.assert(property, { numRuns: trees });
  return compared;
}

async function previewed(session: Session): Promise<string> {
  const { agent } = await createScenario({ session, answers: [], model: scriptedModel(), now: () => NOW });
  const { request } = await agent.previewRequest({ text: "what next" });
  await agent.dispose();
  const { sessionId: _, ...body } = request;
  return JSON.stringify(body);
}
