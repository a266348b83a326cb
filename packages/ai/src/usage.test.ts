import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cacheKey } from "./cache-key.ts";
import { outputLimit, promptCharsOf } from "./output-limit.ts";
import { addUsage, usageWithCost, ZERO_USAGE } from "./usage.ts";

const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe("AI-44: cost in USD", () => {
  test.each([
    ["plain", { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 }, cost, 3 + 1.5],
    ["cached", { input: 0, output: 0, cacheRead: 1_000_000, cacheWrite: 1_000_000 }, cost, 0.3 + 3.75],
    [
      "an hour-long write at twice the input",
      { input: 0, output: 0, cacheRead: 0, cacheWrite: 1_000_000, cacheWrite1h: 400_000 },
      cost,
      0.6 * 3.75 + 0.4 * 6,
    ],
    [
      "a tier that the whole prompt passes",
      { input: 100_001, output: 1000, cacheRead: 100_000, cacheWrite: 0 },
      {
        ...cost,
        tiers: [{ inputTokensAbove: 200_000, input: 6, output: 20, cacheRead: 0.6, cacheWrite: 7 }],
      },
      0.600006 + 0.02 + 0.06,
    ],
    [
      "a tier that is just not passed",
      { input: 200_000, output: 0, cacheRead: 0, cacheWrite: 0 },
      {
        ...cost,
        tiers: [{ inputTokensAbove: 200_000, input: 6, output: 20, cacheRead: 0.6, cacheWrite: 7 }],
      },
      0.6,
    ],
    [
      "a router's placeholder price",
      { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 },
      { ...cost, input: -1_000_000 },
      0,
    ],
  ])("%s", (_name, counts, prices, total) => {
    expect(usageWithCost(counts, { cost: prices }).cost.total).toBeCloseTo(total, 9);
  });

  test("AI-42: totals add up, and sums of usages too", () => {
    const count = fc.nat(1_000_000);
    const usage = fc
      .record({ input: count, output: count, cacheRead: count, cacheWrite: count })
      .map((counts) => usageWithCost(counts, { cost }));
    fc.assert(
      fc.property(usage, usage, (a, b) => {
        const sum = addUsage(a, b);
        expect(sum.totalTokens).toBe(sum.input + sum.output + sum.cacheRead + sum.cacheWrite);
        expect(addUsage(a, ZERO_USAGE)).toEqual(a);
      }),
    );
  });
});

describe("AI-45, B075: the largest answer to ask for", () => {
  const model = { contextWindow: 262_000, maxTokens: 262_000 };

  test("leaves room for the prompt and a margin", () => {
    expect(outputLimit({ model, promptChars: 1390 * 4 })).toBe(262_000 - 1390 - 13_100);
  });

  test("is what was asked for where that fits", () => {
    expect(outputLimit({ model, requestedTokens: 500, promptChars: 4000 })).toBe(500);
  });

  test("is positive and never above the model's own, whatever comes in", () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.nat(200_000),
        fc.nat(9_000_000),
        (contextWindow, maxTokens, promptChars) => {
          const limit = outputLimit({ model: { contextWindow, maxTokens }, promptChars });
          expect(limit).toBeGreaterThan(0);
          if (maxTokens > 0) expect(limit).toBeLessThanOrEqual(maxTokens);
        },
      ),
    );
  });

  test("B065: Han characters count for more than a quarter of a token each", () => {
    expect(promptCharsOf("漢".repeat(160)) / 4).toBeGreaterThanOrEqual(96);
    expect(promptCharsOf("a".repeat(160))).toBe(160);
  });

  test("images do not count as text", () => {
    expect(promptCharsOf({ type: "image", data: "A".repeat(10_000) })).toBeLessThan(30);
  });
});

test("B077: cache keys have at most 64 characters, are stable, and differ where ids do", () => {
  const id = fc.string({ minLength: 60, maxLength: 200 });
  fc.assert(
    fc.property(id, fc.string({ minLength: 1 }), (start, end) => {
      const [key, other] = [cacheKey(start), cacheKey(start + end)];
      expect(key.length).toBeLessThanOrEqual(64);
      expect(cacheKey(start)).toBe(key);
      expect(other).not.toBe(key);
    }),
  );
});
