import {
  estimateContextTokens,
  prepareCompaction,
  resolveCompactionSettings,
  shouldCompact,
} from "@coppice/compaction";
import { pathBuilder, usageOf } from "@coppice/compaction/testing";
import { type AnyEntry, buildContext } from "@coppice/session";

/**
 * Decision, cut and preparation on a path of 10,000 messages, with and without a provider's report of its size.
 *
 * Printed: the first time in a cold process, the first time on other paths once the code is warm, and again when nothing
 * changed. The paths are parsed from JSON, as a session file gives them, and settled in memory before the clock starts.
 * Beside the time on the clock stands that of the thread's own processor, which other programs disturb less.
 */
const contextWindow = 200_000;
const settings = resolveCompactionSettings({ contextWindow });
const MESSAGES_A_TURN = 4;

function madePath(seed: number, isReported: boolean): readonly AnyEntry[] {
  const builder = pathBuilder();
  for (let index = 0; index < 10_000 / MESSAGES_A_TURN; index++) {
    builder.user(`Question ${seed} ${index} ${"words ".repeat(20)}`);
    builder.toolCall(`t${index}`, "read", { path: `src/${index % 300}.ts` });
    builder.toolResult(`t${index}`, "line of text\n".repeat(50));
    const usage = isReported ? { usage: usageOf({ input: 190_000 }) } : {};
    builder.assistant(`Answer ${index} ${"words ".repeat(30)}`, usage);
  }
  return JSON.parse(JSON.stringify(builder.path)) as readonly AnyEntry[];
}

interface Time {
  readonly clockMs: number;
  readonly cpuMs: number;
}

function timed(run: () => void): Time {
  const cpu = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const [start, cpuStart] = [performance.now(), cpu()];
  run();
  return { clockMs: performance.now() - start, cpuMs: cpu() - cpuStart };
}

/** Sessions stay open in a process that goes on to another: with the last of its kind, the code made for it would go too. */
const opened: ReturnType<typeof buildContext>[] = [];

function planOf(path: readonly AnyEntry[]): () => Time {
  const context = buildContext(path);
  const { messages, entries } = context;
  opened.push(context);
  globalThis.gc?.();
  return () =>
    timed(() => {
      const { tokens } = estimateContextTokens({ messages });
      if (!shouldCompact({ contextTokens: tokens, contextWindow, settings })) throw new Error("must fire");
      prepareCompaction({ path, entries, contextWindow, settings, tokensBefore: tokens });
    });
}

/** What this machine takes at this moment to read every character of such a path once: a yardstick for its load. */
function reading(path: readonly AnyEntry[]): Time {
  const texts = JSON.stringify(path);
  return timed(() => {
    let sum = 0;
    for (let index = 0; index < texts.length; index++) sum += texts.charCodeAt(index);
    if (sum === 0) throw new Error("must read");
  });
}

function median(times: readonly Time[], key: keyof Time): string {
  const sorted = times.map((time) => time[key]).sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(2);
}

const shown = (times: readonly Time[]) =>
  `${median(times, "clockMs")} ms (${median(times, "cpuMs")} of its own)`;
for (const isReported of [false, true]) {
  const plan = planOf(madePath(0, isReported));
  const cold = [plan()];
  const again = Array.from({ length: 30 }, plan);
  const warm = Array.from({ length: 5 }, (_, seed) => planOf(madePath(seed + 1, isReported))());
  const best = Math.min(...warm.map(({ cpuMs }) => cpuMs)).toFixed(1);
  console.log(
    `10,000 messages, size ${isReported ? "reported" : "estimated"}: first ${isReported ? "" : "in a cold process "}${shown(cold)}, on another path ${shown(warm)}, best ${best}; again ${shown(again)}`,
  );
}
const readings = Array.from({ length: 5 }, () => reading(madePath(0, false)));
console.log(`yardstick: reading every character once takes ${shown(readings)}`);
