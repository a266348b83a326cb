import type { AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import { type AnyEntry, buildContext, isEntry } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compact, compactOrExtract } from "../src/compact.ts";
import { CompactionError } from "../src/errors.ts";
import { estimateContextTokens, estimateTokens } from "../src/estimate.ts";
import { prepareCompaction } from "../src/prepare-compaction.ts";
import { serializeMessage } from "../src/serialize-conversation.ts";
import { resolveCompactionSettings } from "../src/settings.ts";
import { shouldCompact } from "../src/should-compact.ts";
import { type PathBuilder, pathBuilder, scriptedComplete, testModel } from "../src/testing/index.ts";
import { usageValidFrom } from "../src/usage-valid-from.ts";
import { arbitraryPath, arbitraryTurns } from "./arbitrary-path.ts";

const windows = fc.constantFrom(4096, 8192, 16_384, 32_768);

function sizeOf(path: readonly AnyEntry[]): number {
  const { messages, entries } = buildContext(path);
  return estimateContextTokens({ messages, usageValidFrom: usageValidFrom(path, entries) }).tokens;
}

function prepare(path: readonly AnyEntry[], contextWindow: number) {
  const settings = resolveCompactionSettings({ contextWindow });
  try {
    return prepareCompaction({ path, contextWindow, settings, tokensBefore: sizeOf(path) });
  } catch (error) {
    if (error instanceof CompactionError) return error;
    throw error;
  }
}

/** Compacts as a host does: edits first, then the compaction entry. Undefined when there was nothing to do or no way. */
async function compactPath(builder: PathBuilder, contextWindow: number) {
  const preparation = prepare(builder.path, contextWindow);
  if (preparation === undefined || preparation instanceof CompactionError) return undefined;
  const script = scriptedComplete();
  const options = { complete: script.complete, model: testModel({ contextWindow, maxTokens: 1024 }) };
  const outcome = await compactOrExtract(preparation, options).catch((error: unknown) => error);
  if (outcome instanceof CompactionError) return undefined;
  const { result } = outcome as Awaited<ReturnType<typeof compactOrExtract>>;
  for (const { targetId, text } of result.shortenings) {
    builder.entry("context_edit", { targetId, replacement: { content: text } });
  }
  const { summary, firstKeptEntryId, tokensBefore, details, checkpoint } = result;
  builder.compaction(summary, firstKeptEntryId, { tokensBefore, details, checkpoint });
  return { preparation, result, requests: script.requests };
}

function expectPairs(messages: readonly AgentMessage[]): void {
  const calls = messages.flatMap((m) =>
    m.role === "assistant" ? toolCallsOf(m).map((call) => call.id) : [],
  );
  const results = messages.flatMap((m) => (m.role === "toolResult" ? [m.toolCallId] : []));
  expect(results.toSorted()).toEqual(calls.toSorted());
}

test("CO-03, B032: every message of the context is kept or was input to the summary, exactly once and in order", () => {
  fc.assert(
    fc.property(arbitraryPath(), windows, (path, contextWindow) => {
      const preparation = prepare(path, contextWindow);
      if (preparation === undefined || preparation instanceof CompactionError) return;
      const { messagesToSummarize, turnPrefixMessages, retainedTail } = preparation;
      const shown = buildContext(path).messages.filter(({ role }) => role !== "compactionSummary");
      expect([...messagesToSummarize, ...turnPrefixMessages, ...retainedTail]).toEqual(shown);
    }),
  );
});

test("B034, B035: no call is parted from its result on either side of a cut", () => {
  fc.assert(
    fc.property(arbitraryPath(), windows, (path, contextWindow) => {
      const preparation = prepare(path, contextWindow);
      if (preparation === undefined || preparation instanceof CompactionError) return;
      expectPairs([...preparation.messagesToSummarize, ...preparation.turnPrefixMessages]);
      expectPairs(preparation.retainedTail);
    }),
  );
});

test("CO-05: input that no answer has followed stays verbatim and the kept part is never empty", () => {
  fc.assert(
    fc.property(arbitraryPath(), windows, fc.string({ minLength: 1 }), (path, contextWindow, text) => {
      const builder = pathBuilder(path);
      builder.user(text);
      const preparation = prepare(builder.path, contextWindow);
      if (preparation === undefined || preparation instanceof CompactionError) return;
      expect(preparation.retainedTail.at(-1)).toMatchObject({ role: "user", content: text });
    }),
  );
});

test("CO-01, B046: a compacted context is smaller than before and a second check does not fire", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPath(), windows, async (path, contextWindow) => {
      const builder = pathBuilder(path);
      const before = buildContext(path).messages.reduce((sum, message) => sum + estimateTokens(message), 0);
      const done = await compactPath(builder, contextWindow);
      if (done === undefined) return;
      const contextTokens = sizeOf(builder.path);
      expect(contextTokens).toBeLessThan(before);
      expect(contextTokens).toBe(done.result.tokensAfter);
      const settings = resolveCompactionSettings({ contextWindow });
      const { keptTokens } = done.preparation;
      const limit = keptTokens > settings.triggerTokens - 64 ? contextWindow : settings.triggerTokens + 1;
      expect(contextTokens).toBeLessThan(limit);
      if (limit === contextWindow) return;
      expect(shouldCompact({ contextTokens, contextWindow, settings })).toBe(false);
    }),
  );
});

test("a context over the trigger is compacted, or reported as hopeless, or is fresh input that fits the window", async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryPath({ minTurns: 4 }),
      fc.constantFrom(4096, 8192),
      async (path, contextWindow) => {
        const settings = resolveCompactionSettings({ contextWindow });
        const { messages } = buildContext(path);
        const contextTokens = sizeOf(path);
        if (!shouldCompact({ contextTokens, contextWindow, settings })) return;
        const preparation = prepare(path, contextWindow);
        if (preparation instanceof CompactionError) {
          expect(preparation.code).toBe("input_too_large");
          return;
        }
        if (preparation !== undefined) return;
        expect(
          messages.filter((message) => message.role === "assistant" && message.stopReason === "stop"),
        ).toEqual([]);
        expect(contextTokens).toBeLessThan(contextWindow);
      },
    ),
    { numRuns: 400 },
  );
});

test("CO-03: through any number of compactions each message is in the context or was input to some summary", async () => {
  const rounds = fc.array(arbitraryTurns({ minTurns: 2, maxTurns: 6, compacted: false }), {
    minLength: 2,
    maxLength: 5,
  });
  let compactions = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async (appends) => {
      const builder = pathBuilder();
      const covered = new Set<string>();
      for (const append of appends) {
        append(builder);
        const done = await compactPath(builder, 4096);
        if (done === undefined) continue;
        compactions++;
        const { messagesToSummarize, turnPrefixMessages } = done.preparation;
        for (const message of [...messagesToSummarize, ...turnPrefixMessages]) covered.add(identity(message));
      }
      for (const message of buildContext(builder.path).messages) covered.add(identity(message));
      expect(
        neverHidden(builder.path)
          .map(identity)
          .filter((id) => !covered.has(id)),
      ).toEqual([]);
    }),
    { numRuns: 60 },
  );
  expect(compactions).toBeGreaterThan(20);
});

function neverHidden(path: readonly AnyEntry[]): readonly AgentMessage[] {
  const hidden = new Set(
    path.flatMap((entry) =>
      isEntry(entry, "context_edit") && entry.replacement === null ? [entry.targetId] : [],
    ),
  );
  return path.flatMap((entry) => (isEntry(entry, "message") && !hidden.has(entry.id) ? [entry.message] : []));
}

/** Shortened results keep call id and time, so these name a message. */
function identity(message: AgentMessage): string {
  return `${message.role} ${message.timestamp} ${message.role === "toolResult" ? message.toolCallId : ""}`;
}

test("CO-04: nothing of another branch is in a summary's input, in what stays, or in what code vouches for", async () => {
  let compactions = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitraryTurns({ maxTurns: 3 }),
      arbitraryTurns({ minTurns: 2, maxTurns: 5 }),
      arbitraryTurns({ minTurns: 2, maxTurns: 5 }),
      windows,
      async (ofTrunk, ofLeft, ofRight, contextWindow) => {
        const trunk = pathBuilder();
        ofTrunk(trunk);
        const left = pathBuilder(trunk.path);
        left.user("LEFT-BRANCH begins");
        left.toolCall("left", "write", { path: "LEFT-BRANCH.ts" });
        left.toolResult("left", "written", { toolName: "write" });
        left.entry("custom", {
          customType: "coppice.pin",
          data: { id: "left", text: "LEFT-BRANCH rule", source: "user" },
        });
        ofLeft(left);
        await compactPath(left, contextWindow);
        const right = pathBuilder(trunk.path);
        ofRight(right);
        const done = await compactPath(right, contextWindow);
        if (done === undefined) return;
        compactions++;
        expect(JSON.stringify([done.requests, done.result, right.path])).not.toContain("LEFT-BRANCH");
      },
    ),
  );
  expect(compactions).toBeGreaterThan(10);
});

test("CO-09, B039: no summary request is larger than the summary model's window, and short messages stand in it whole", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPath({ minTurns: 2 }), windows, async (path, contextWindow) => {
      const preparation = prepare(path, 16_384);
      if (preparation === undefined || preparation instanceof CompactionError) return;
      const script = scriptedComplete();
      const model = testModel({ contextWindow, maxTokens: 512 });
      await compact(preparation, { complete: script.complete, model }).catch(() => undefined);
      for (const request of script.requests) {
        const sent = [...request.messages].reduce((sum, message) => sum + estimateTokens(message), 0);
        expect(sent).toBeLessThan(contextWindow - 512);
      }
      const input = script.requests.map((request) => request.messages[0]?.content).join("\n");
      const short = preparation.messagesToSummarize.map(serializeMessage).filter((text) => text.length < 40);
      if (script.requests.length > 0) expect(short.filter((text) => !input.includes(text))).toEqual([]);
    }),
  );
});
