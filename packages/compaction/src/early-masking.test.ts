import { buildContext } from "@coppice/session";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LEAST_EARLY_TOKENS, planEarlyMasking } from "./early-masking.ts";
import { estimateTokens } from "./estimate.ts";
import { pathBuilder } from "./testing/index.ts";

const OPUS = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const KEEP = 20_000;

/** `sizes`: tokens of the results, each after a call of its own. */
function history(sizes: readonly number[]) {
  const builder = pathBuilder();
  builder.user("go");
  for (const [at, tokens] of sizes.entries()) {
    builder.toolCall(`t${at}`, "read", { path: `src/${at}.ts` });
    builder.toolResult(`t${at}`, `${at} word `.repeat(Math.ceil((tokens * 4) / (6 + `${at}`.length))));
  }
  return buildContext(builder.path).entries;
}
const plan = (sizes: readonly number[], prices = OPUS) =>
  planEarlyMasking({ entries: history(sizes), keepRecentTokens: KEEP, prices });
const many = (count: number, tokens: number) => Array.from({ length: count }, () => tokens);

describe("old results are shown shorter ahead of the trigger", () => {
  test("where the session has made enough requests for the saving to outweigh the uncached rest", () => {
    const masked = plan(many(30, 2500)).map(({ targetId }) => targetId);
    expect(masked.length).toBeGreaterThan(12);
    // Never of the newest history.
    expect(masked).not.toContain("e61");
    expect(masked).not.toContain("e55");
  });

  test.each([
    { name: "a short session, however large", sizes: many(3, 25_000) },
    { name: "too little to free", sizes: many(20, 2000) },
    { name: "many small results", sizes: many(400, 200) },
  ])("$name: nothing", ({ sizes }) => {
    expect(plan(sizes)).toEqual([]);
  });

  test("a model whose cache costs next to nothing is not interrupted", () => {
    expect(plan(many(30, 2500), { ...OPUS, cacheRead: 0.01 })).toEqual([]);
  });

  test("a model without prices is judged by usual ones", () => {
    expect(plan(many(30, 2500), { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }).length).toBeGreaterThan(
      12,
    );
  });

  test("what lies far back is left alone where the break before it would cost more than it frees", () => {
    // One old result of a little more, behind which a great deal was said.
    const builder = pathBuilder();
    builder.user("go");
    for (let at = 0; at < 30; at++) {
      builder.toolCall(`t${at}`, "read", { path: `src/${at}.ts` });
      builder.toolResult(`t${at}`, at === 0 ? "x ".repeat(1000) : "short");
      builder.assistant("said ".repeat(3000));
    }
    for (let at = 30; at < 60; at++) {
      builder.toolCall(`t${at}`, "read", { path: `src/${at}.ts` });
      builder.toolResult(`t${at}`, `${at} word `.repeat(1250));
    }
    const { entries } = buildContext(builder.path);
    const masked = planEarlyMasking({ entries, keepRecentTokens: KEEP, prices: OPUS });
    expect(masked.length).toBeGreaterThan(12);
    expect(masked.map(({ targetId }) => targetId)).not.toContain("e3");
  });
});

test("whatever is masked frees at least what a break of the cache must, each entry once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 50, max: 9000 }), { maxLength: 60 }), (sizes) => {
      const entries = history(sizes);
      const masked = planEarlyMasking({ entries, keepRecentTokens: KEEP, prices: OPUS });
      expect(new Set(masked.map(({ targetId }) => targetId)).size).toBe(masked.length);
      const freed = entries
        .filter(({ entry }) => masked.some(({ targetId }) => targetId === entry.id))
        .flatMap(({ messages }) => messages)
        .reduce((sum, message) => sum + estimateTokens(message), 0);
      if (masked.length > 0) expect(freed).toBeGreaterThanOrEqual(LEAST_EARLY_TOKENS);
    }),
    { numRuns: 40 },
  );
});
