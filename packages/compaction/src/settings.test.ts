import { describe, expect, test } from "vitest";
import {
  COMPACTION_PRESETS,
  DEFAULT_COMPACTION_SETTINGS,
  FALLBACK_CONTEXT_WINDOW,
  resolveCompactionSettings,
} from "./settings.ts";
import { shouldCompact } from "./should-compact.ts";

describe("resolveCompactionSettings", () => {
  test.each([
    { contextWindow: 200_000, reserveTokens: 16_384, keepRecentTokens: 20_000, triggerTokens: 183_616 },
    { contextWindow: 65_536, reserveTokens: 16_384, keepRecentTokens: 13_107, triggerTokens: 49_152 },
    { contextWindow: 32_768, reserveTokens: 8192, keepRecentTokens: 6553, triggerTokens: 24_576 },
    { contextWindow: 8192, reserveTokens: 2048, keepRecentTokens: 1638, triggerTokens: 6144 },
    { contextWindow: 4096, reserveTokens: 1024, keepRecentTokens: 819, triggerTokens: 3072 },
  ])("B041: defaults scale with a window of $contextWindow", ({ contextWindow, ...expected }) => {
    const resolved = resolveCompactionSettings({ contextWindow });
    expect(resolved).toMatchObject(expected);
    expect(resolved.diagnostics).toEqual([]);
  });

  test("CO-24: fields resolve override, then plain value, then default", () => {
    const resolved = resolveCompactionSettings({
      settings: {
        reserveTokens: 10_000,
        keepRecentTokens: 9000,
        branchSummary: { reserveTokens: 5000 },
        modelOverrides: { "acme/large": { keepRecentTokens: 30_000 } },
      },
      model: { provider: "acme", id: "large" },
      contextWindow: 200_000,
    });
    expect(resolved).toMatchObject({
      reserveTokens: 10_000,
      keepRecentTokens: 30_000,
      minTurnsToKeep: DEFAULT_COMPACTION_SETTINGS.minTurnsToKeep,
      branchSummary: { reserveTokens: 5000, maxSummaryTokens: 2048 },
    });
  });

  test("B041, CO-24: an explicit reserve of at least the window is clamped and reported", () => {
    const resolved = resolveCompactionSettings({ settings: { reserveTokens: 9000 }, contextWindow: 8192 });
    expect(resolved.reserveTokens).toBe(4095);
    expect(resolved.triggerTokens).toBe(4097);
    expect(resolved.diagnostics).toEqual([
      "compaction.reserveTokens 9000 is too much for a window of 8192; 4095 is used.",
    ]);
    expect(shouldCompact({ contextTokens: 300, contextWindow: 8192, settings: resolved })).toBe(false);
  });

  test("B041, CO-24: an explicit value counts as one, also where it is the default's", () => {
    const settings = { reserveTokens: 16_384, branchSummary: { reserveTokens: 16_384 } };
    const resolved = resolveCompactionSettings({ settings, contextWindow: 8192 });
    expect([resolved.reserveTokens, resolved.branchSummary.reserveTokens]).toEqual([4095, 4096]);
    expect(resolved.diagnostics).toEqual([
      "compaction.reserveTokens 16384 is too much for a window of 8192; 4095 is used.",
      "compaction.branchSummary.reserveTokens 16384 is too much for a window of 8192; 4096 is used.",
    ]);
    const large = resolveCompactionSettings({ settings, contextWindow: 40_000 });
    expect([large.reserveTokens, large.branchSummary.reserveTokens]).toEqual([16_384, 16_384]);
    expect(large.diagnostics).toEqual([]);
  });

  test("an explicit recent history of at least the trigger is clamped and reported", () => {
    const resolved = resolveCompactionSettings({
      settings: { keepRecentTokens: 50_000 },
      contextWindow: 32_768,
    });
    expect(resolved.keepRecentTokens).toBe(12_288);
    expect(resolved.diagnostics).toHaveLength(1);
  });

  test.each([undefined, 0, -5, Number.NaN, Number.POSITIVE_INFINITY])(
    "B043: a window of %s becomes the documented fallback with a diagnostic",
    (contextWindow) => {
      const resolved = resolveCompactionSettings({ contextWindow });
      expect(resolved.contextWindow).toBe(FALLBACK_CONTEXT_WINDOW);
      expect(resolved.triggerTokens).toBeGreaterThan(FALLBACK_CONTEXT_WINDOW / 2);
      expect(resolved.diagnostics).toHaveLength(1);
    },
  );

  test.each([
    ["reserveTokens", -1],
    ["reserveTokens", 0.5],
    ["keepRecentTokens", Number.NaN],
    ["keepRecentTokens", Number.MAX_SAFE_INTEGER + 1],
    ["minTurnsToKeep", -2],
    ["maxMessages", 0],
    ["maxSummaryTokens", 1.5],
    ["threshold", 0],
    ["threshold", 1.1],
    ["threshold", Number.NaN],
    ["preserveRecentFiles", -1],
    ["enabled", "no"],
    ["preserveTools", 1],
    ["summaryModel", " "],
  ])("CO-24: %s %s is an error that names the field", (field, value) => {
    expect(() => resolveCompactionSettings({ settings: { [field]: value }, contextWindow: 200_000 })).toThrow(
      `compaction.${field}`,
    );
  });

  test("an invalid value in an override is an error too", () => {
    const settings = { modelOverrides: { "a/b": { reserveTokens: -1 } } };
    const model = { provider: "a", id: "b" };
    expect(() => resolveCompactionSettings({ settings, model, contextWindow: 8192 })).toThrow(
      "reserveTokens",
    );
  });
});

describe("shouldCompact", () => {
  const settings = resolveCompactionSettings({ contextWindow: 100_000 });
  test.each([
    { name: "at the trigger", contextTokens: settings.triggerTokens, expected: false },
    { name: "above it", contextTokens: settings.triggerTokens + 1, expected: true },
  ])("$name: $expected", ({ contextTokens, expected }) => {
    expect(shouldCompact({ contextTokens, contextWindow: 100_000, settings })).toBe(expected);
  });

  test("never fires when compaction is off", () => {
    const off = { ...settings, enabled: false };
    expect(shouldCompact({ contextTokens: 99_999, contextWindow: 100_000, settings: off })).toBe(false);
  });

  test("the ratio preset fires at its share of the window and by message count", () => {
    const ratio = resolveCompactionSettings({ settings: COMPACTION_PRESETS.ratio, contextWindow: 100_000 });
    const check = (contextTokens: number, messagesSinceCompaction: number) =>
      shouldCompact({ contextTokens, contextWindow: 100_000, settings: ratio, messagesSinceCompaction });
    expect([check(75_000, 20), check(75_001, 20), check(10, 21)]).toEqual([false, true, true]);
  });

  test("CO-26: the window is that of the next request's model", () => {
    expect(shouldCompact({ contextTokens: 60_000, contextWindow: 200_000, settings })).toBe(false);
    expect(shouldCompact({ contextTokens: 60_000, contextWindow: 32_000, settings })).toBe(true);
  });
});
