import {
  estimateContextTokens,
  prepareCompaction,
  resolveCompactionSettings,
  shouldCompact,
} from "@coppice/compaction";
import { pathBuilder } from "@coppice/compaction/testing";
import { type AnyEntry, buildContext } from "@coppice/session";

/**
 * Decision, cut and preparation on a path of 10,000 messages that no provider has reported the size of.
 *
 * Printed: the first time in a cold process, the first time on other paths once the code is warm, and again when
 * nothing changed. The paths are parsed from JSON, as a session file gives them.
 */
const contextWindow = 200_000;
const settings = resolveCompactionSettings({ contextWindow });

function madePath(seed: number): readonly AnyEntry[] {
  const builder = pathBuilder();
  for (let index = 0; index < 2500; index++) {
    builder.user(`Question ${seed} ${index} ${"words ".repeat(20)}`);
    builder.toolCall(`t${index}`, "read", { path: `src/${index % 300}.ts` });
    builder.toolResult(`t${index}`, "line of text\n".repeat(50));
    builder.assistant(`Answer ${index} ${"words ".repeat(30)}`);
  }
  return JSON.parse(JSON.stringify(builder.path)) as readonly AnyEntry[];
}

function measurePlan(path: readonly AnyEntry[]): () => number {
  const { messages, entries } = buildContext(path);
  return () => {
    const start = performance.now();
    const { tokens } = estimateContextTokens({ messages });
    if (!shouldCompact({ contextTokens: tokens, contextWindow, settings })) throw new Error("must fire");
    prepareCompaction({ path, entries, contextWindow, settings, tokensBefore: tokens });
    return performance.now() - start;
  };
}

/** What this machine takes at this moment to read every character of such a path once: a yardstick for its load. */
function measureReading(path: readonly AnyEntry[]): number {
  const texts = JSON.stringify(path);
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < texts.length; index++) sum += texts.charCodeAt(index);
  if (sum === 0) throw new Error("must read");
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const measure = measurePlan(madePath(0));
const cold = measure();
const again = median(Array.from({ length: 30 }, measure));
const warm = Array.from({ length: 9 }, (_, seed) => measurePlan(madePath(seed + 1))());
console.log(
  `10,000 messages: first ${cold.toFixed(1)} ms in a cold process, ${median(warm).toFixed(1)} ms (median of 9, best ${Math.min(...warm).toFixed(1)}) on another path; again ${again.toFixed(2)} ms (median of 30)`,
);
const reading = Array.from({ length: 9 }, () => measureReading(madePath(0)));
console.log(`yardstick: reading every character once takes ${median(reading).toFixed(1)} ms`);
