import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { textOf } from "@coppice/ai";
import { createRecallTool } from "@coppice/coding-agent";
import { JsonlRepo } from "@coppice/session";
import { randomNumbers, textOf as wordsOf } from "../session/generate-session.ts";

/**
 * Needles in evicted text of a 100 MB session after three compactions: how many the recall tool reaches in at most two
 * calls, and how long a call takes. Seeded. The index is built first, as an agent does in the second after a session is
 * opened; how long that takes, and holds up other work at most, is printed, and so is a first call that comes before it.
 */
const FILE_BYTES = 100e6;
const TEXT_CHARS = 1300;
/** Of the entries below, on the average. */
const ENTRY_BYTES = 1620;
const NEEDLES = 60;
const START_MS = 1_767_225_600_000;

const PLACES = ["staging", "canary", "nightly", "backup", "preview", "legacy"];
const SERVICES = [
  "billing",
  "mailer",
  "indexer",
  "gateway",
  "uploads",
  "reports",
  "thumbnails",
  "ledger",
  "crawler",
  "presence",
];
const FACTS = ["listens on port", "needs memory limit", "keeps logs for days", "retries times"];

interface Needle {
  readonly sentence: string;
  /** What a model would look for: words of the question, in another order than the sentence has them. */
  readonly query: string;
  readonly value: string;
}

function needleOf(index: number): Needle {
  const place = PLACES[index % PLACES.length] ?? "";
  const service = SERVICES[index % SERVICES.length] ?? "";
  const fact = FACTS[Math.floor(index / 10) % FACTS.length] ?? "";
  const value = String(40_000 + index * 137);
  return {
    sentence: `Remember that the ${place} ${service} ${fact} ${value}.`,
    query: `${service} ${place} ${fact}`,
    value,
  };
}

const needles = Array.from({ length: NEEDLES }, (_, index) => needleOf(index));
const idOf = (index: number): string => index.toString(16).padStart(16, "0");

/** Writes the session: needles spread over what the compactions put away, which is all but the last hundred entries. */
async function writeSession(path: string): Promise<number> {
  const out = createWriteStream(path);
  const random = randomNumbers(11);
  const iso = (index: number) => new Date(START_MS + index * 1000).toISOString();
  const entries = Math.floor(FILE_BYTES / ENTRY_BYTES);
  const compactions = new Set([0.4, 0.7, 1].map((share) => Math.floor((entries - 100) * share)));
  const every = Math.floor((entries - 300) / NEEDLES);
  const header = { type: "session", version: 3, id: "bench", timestamp: iso(0), cwd: "/w" };
  let pending = `${JSON.stringify(header)}\n`;
  for (let index = 0; index < entries; index++) {
    const base = { id: idOf(index), parentId: index === 0 ? null : idOf(index - 1), timestamp: iso(index) };
    const needle = index % every === 7 ? needles[Math.floor(index / every)] : undefined;
    const noise = wordsOf(random, TEXT_CHARS);
    const text = needle === undefined ? noise : `${noise} ${needle.sentence} ${noise.slice(0, 400)}`;
    pending += `${JSON.stringify(compactions.has(index) ? compactionOf(base, index) : messageOf(base, index, text))}\n`;
    if (pending.length < 1_000_000 && index < entries - 1) continue;
    if (!out.write(pending)) await once(out, "drain");
    pending = "";
  }
  out.end();
  await once(out, "close");
  return entries;
}

function compactionOf(base: object, index: number): object {
  const checkpoint = { model: { provider: "p", modelId: "m" } };
  return {
    type: "compaction",
    ...base,
    summary: "All before.",
    firstKeptEntryId: idOf(index - 10),
    tokensBefore: 1,
    checkpoint,
  };
}

function messageOf(base: object, index: number, text: string): object {
  const timestamp = START_MS + index * 1000;
  const content = [{ type: "text", text }];
  if (index % 2 === 0) return { type: "message", ...base, message: { role: "user", content, timestamp } };
  const cost = { input: 0.001, output: 0.002, cacheRead: 0, cacheWrite: 0, total: 0.003 };
  const usage = { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, totalTokens: 1200, cost };
  const about = { api: "x", provider: "p", model: "m", usage, stopReason: "stop", timestamp };
  return { type: "message", ...base, message: { role: "assistant", content, ...about } };
}

const percentile = (all: readonly number[], share: number): number =>
  Math.round(
    (all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0) * 10,
  ) / 10;

interface Timed {
  readonly ms: number;
  readonly cpuMs: number;
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const directory = await mkdtemp(join(tmpdir(), "coppice-bench-recall-"));
try {
  const path = join(directory, "bench.jsonl");
  const entries = await writeSession(path);
  const opened = () => new JsonlRepo({ directory, fsync: "off" }).open(path);
  let session = await opened();
  const context = { toolCallId: "c", toolName: "recall", now: () => 0 };
  const timed = async (params: { readonly query?: string; readonly handle?: string }) => {
    const startMs = performance.now();
    const startCpu = process.cpuUsage();
    const { content, details } = await createRecallTool({ session }).execute(
      "c",
      params,
      new AbortController().signal,
      () => undefined,
      context,
    );
    return {
      text: textOf(content),
      entryIds: details?.entryIds ?? [],
      ms: performance.now() - startMs,
      cpuMs: cpuMsSince(startCpu),
    };
  };
  const cold = await timed({ query: needles[0]?.query ?? "" });
  await session.close();
  session = await opened();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const buildStartMs = performance.now();
  await session.buildIndex({ withTexts: true });
  const build = { ms: performance.now() - buildStartMs, longestHoldMs: delay.max / 1e6 };
  delay.disable();
  const calls: Timed[] = [];
  const reached = { inOne: 0, inTwo: 0 };
  for (const { query, value } of needles) {
    const first = await timed({ query });
    calls.push(first);
    if (first.text.includes(value)) {
      reached.inOne++;
      continue;
    }
    const second = await timed({ handle: first.entryIds[0] ?? "" });
    calls.push(second);
    if (second.text.includes(value)) reached.inTwo++;
  }
  // Where one word is nowhere, the others are looked for one by one.
  const strays: Timed[] = [];
  for (const { query } of needles.slice(0, 20)) strays.push(await timed({ query: `${query} hippopotamus` }));
  const spans: Timed[] = [];
  for (let index = 0; index < 20; index++) {
    const from = Math.floor((entries / 25) * (index + 1));
    spans.push(await timed({ handle: `${idOf(from)}..${idOf(from + 40)}` }));
  }
  const { size } = await stat(path);
  console.log("session", JSON.stringify({ mb: Math.round(size / 1e5) / 10, entries, compactions: 3 }));
  console.log(
    "index, built once after opening",
    JSON.stringify({ ms: Math.round(build.ms), longestHoldMs: Math.round(build.longestHoldMs) }),
  );
  console.log("first call after that", JSON.stringify({ ms: Math.round(calls[0]?.ms ?? 0) }));
  console.log(
    "first call right after opening",
    JSON.stringify({ ms: Math.round(cold.ms), cpuMs: Math.round(cold.cpuMs) }),
  );
  console.log(
    "needles reached",
    JSON.stringify({ needles: NEEDLES, ...reached, share: (reached.inOne + reached.inTwo) / NEEDLES }),
  );
  for (const [name, all] of [
    ["call by query", calls],
    ["call by query with a word that is nowhere", strays],
    ["call by span of 41 entries", spans],
  ] as const) {
    for (const unit of ["ms", "cpuMs"] as const) {
      const values = all.map((one) => one[unit]);
      console.log(
        `${name}, ${unit}`,
        JSON.stringify({
          p50: percentile(values, 0.5),
          p95: percentile(values, 0.95),
          max: percentile(values, 1),
        }),
      );
    }
  }
  await session.close();
} finally {
  await rm(directory, { recursive: true });
}
