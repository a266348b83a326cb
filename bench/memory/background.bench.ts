import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedModel, scriptedStream } from "@coppice/ai/testing";
import { createCodingAgent } from "@coppice/coding-agent";
import { createVirtualClock } from "@coppice/coding-agent/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { MemoryRepo } from "@coppice/session";
import { randomNumbers } from "../session/generate-session.ts";

/**
 * What a compaction adds to the turn that crosses the trigger, on a virtual clock, with a summariser that takes 20 s.
 *
 * Seeded runs with turns of different sizes and lengths. The wait is the time from the prompt to its request; the
 * processor time of the swap is measured apart, on the real clock.
 */
const RUNS = 120;
const SUMMARY_MS = 20_000;
const GAP_MS = 25_000;
const FAST_MS = 50;

interface Run {
  /** From the beginning of the summary to the prompt that crosses the trigger. */
  readonly gapMs: number;
  readonly waitMs: number;
  /** Real time from the prompt to its request, in a run without a wait. */
  readonly realMs: number;
  readonly summaryCalls: number;
}

const isSummaryRequest = ({ messages }: ChatRequest) =>
  textOf(messages.at(-1)?.content ?? "").includes("## Critical Context");

async function run(seed: number, background: boolean): Promise<Run> {
  const random = randomNumbers(seed);
  const clock = createVirtualClock();
  const requests: { readonly isSummary: boolean; readonly atMs: number; readonly realMs: number }[] = [];
  // A third of the runs hurries: then the trigger may come before the summary.
  const isHasty = random() < 1 / 3;
  const turn = () => ({
    tokens: 400 + Math.floor(random() * (isHasty ? 4000 : 1600)),
    ms: 2000 + Math.floor(random() * (isHasty ? 6000 : 30_000)),
  });
  let next = turn();
  const stream = scriptedStream(async (request) => {
    const isSummary = isSummaryRequest(request);
    requests.push({ isSummary, atMs: clock.now(), realMs: performance.now() });
    const { tokens, ms } = next;
    await clock.sleep(isSummary ? SUMMARY_MS : ms, request.signal ?? new AbortController().signal);
    return isSummary ? goodSummary(`Run ${seed}.`) : "word ".repeat(Math.floor(tokens * 0.8));
  });
  const agent = await createCodingAgent({
    cwd: "/project",
    session: await new MemoryRepo({ now: clock.now }).create({ cwd: "/project" }),
    model: scriptedModel({ contextWindow: 40_000 }),
    streamFunction: stream,
    tools: [],
    compaction: { background },
    now: clock.now,
    sleep: clock.sleep,
  });
  let isCompacted = false;
  let startedMs = Number.NaN;
  agent.subscribe((event) => {
    if (event.type === "compaction_end") isCompacted = true;
    if (event.type === "background_compaction" && event.state === "started") startedMs = clock.now();
  });
  return clock.run(async () => {
    for (;;) {
      next = turn();
      const promptedMs = clock.now();
      const realMs = performance.now();
      await agent.prompt("next");
      if (!isCompacted) continue;
      const request = requests.findLast(({ isSummary }) => !isSummary);
      await agent.dispose();
      return {
        gapMs: promptedMs - startedMs,
        waitMs: (request?.atMs ?? 0) - promptedMs,
        realMs: (request?.realMs ?? 0) - realMs,
        summaryCalls: requests.filter(({ isSummary }) => isSummary).length,
      };
    }
  });
}

const share = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10;
const median = (all: readonly number[]): number =>
  Math.round((all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0) * 10) / 10;

const runs: Run[] = [];
for (let seed = 1; seed <= RUNS; seed++) runs.push(await run(seed, true));
const roomy = runs.filter(({ gapMs }) => gapMs >= GAP_MS);
const hasty = runs.filter(({ gapMs }) => !(gapMs >= GAP_MS));
const begun = hasty.filter(({ gapMs }) => !Number.isNaN(gapMs));
console.log(
  "turns that leave 25 s between 80 % and the trigger",
  JSON.stringify({
    runs: roomy.length,
    waitAtMost50MsPercent: share(roomy.filter(({ waitMs }) => waitMs <= FAST_MS).length, roomy.length),
    swapRealMsMedian: median(roomy.map(({ realMs }) => realMs)),
  }),
);
console.log(
  "turns that leave less",
  JSON.stringify({
    runs: hasty.length,
    waitedOnlyForTheRest: begun.filter(({ gapMs, waitMs }) => waitMs === Math.max(0, SUMMARY_MS - gapMs))
      .length,
    begunBeforeTheTrigger: begun.length,
    waitMsMedian: median(hasty.map(({ waitMs }) => waitMs)),
  }),
);
console.log(
  "summary calls a run",
  JSON.stringify({ most: Math.max(...runs.map(({ summaryCalls }) => summaryCalls)) }),
);
const without: Run[] = [];
for (let seed = 1; seed <= 20; seed++) without.push(await run(seed, false));
console.log(
  "without preparation, 20 runs",
  JSON.stringify({ waitMsMedian: median(without.map(({ waitMs }) => waitMs)) }),
);
