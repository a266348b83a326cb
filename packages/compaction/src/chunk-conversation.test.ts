import fc from "fast-check";
import { expect, test } from "vitest";
import { chunkConversation, MAX_CHUNKS } from "./chunk-conversation.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";

/** The default measures a long text by slices, which may differ a little from the sum of its parts. */
const byLength: TokenEstimator = { estimateText: (text) => Math.ceil(text.length / 4) };

const chunk = (parts: readonly string[], maxTokens: number) =>
  chunkConversation({ parts, maxTokens, estimator: scriptEstimator });

test("what fits is one chunk, and nothing is none", () => {
  expect(chunk(["a", "b"], 100)).toEqual(["a\n\nb"]);
  expect(chunk([], 100)).toEqual([]);
});

test("a part longer than a chunk is split between whole characters and loses nothing", () => {
  const text = "🌳字a".repeat(100);
  const chunks = chunk([text], 120);
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.join("")).toBe(text);
  for (const piece of chunks) expect(piece.isWellFormed()).toBe(true);
});

test("CO-09: chunks never exceed their size nor their number, and every short part is represented", () => {
  const parts = fc.array(
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 30 }),
      fc.nat(4000).map((count) => "words ".repeat(count + 1)),
      fc.nat(2000).map((count) => "字".repeat(count + 1)),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(parts, fc.integer({ min: 400, max: 3000 }), (texts, maxTokens) => {
      const chunks = chunkConversation({ parts: texts, maxTokens, estimator: byLength });
      expect(chunks.length).toBeLessThanOrEqual(MAX_CHUNKS);
      for (const text of chunks) expect(byLength.estimateText(text)).toBeLessThanOrEqual(maxTokens);
      const all = chunks.join("\n\n");
      expect(texts.filter((text) => text.length <= 30 && !all.includes(text))).toEqual([]);
    }),
  );
});

test("too many messages for the requests lose those in the middle, and their place says how many", () => {
  const parts = Array.from({ length: 2000 }, (_, index) => `[User]: message number ${index}`);
  const chunks = chunkConversation({ parts, maxTokens: 400, maxChunks: 3, estimator: byLength });
  expect(chunks).toHaveLength(3);
  for (const text of chunks) expect(byLength.estimateText(text)).toBeLessThanOrEqual(400);
  const all = chunks.join("\n\n").split("\n\n");
  expect([all[0], all.at(-1)]).toEqual([parts[0], parts.at(-1)]);
  const note = /^\[… (\d+) messages left out …\]$/;
  const leftOut = all.flatMap((part) => note.exec(part)?.[1] ?? []);
  expect(leftOut).toHaveLength(1);
  expect(Number(leftOut[0]) + all.length - 1).toBe(parts.length);
});
