import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateSession } from "./generate-session.ts";

/** Open, append, index, search and size on generated sessions of 1,000, 100,000 and 1,000,000 entries, beside pi 1.6. */
const SIZES = [
  { name: "1,000 entries", entries: 1000, textChars: 1300, times: 20, piTimes: 20 },
  { name: "100,000 entries", entries: 100_000, textChars: 1300, times: 5, piTimes: 3 },
  { name: "1,000,000 entries", entries: 1_000_000, textChars: 800, times: 3, piTimes: 0 },
];

interface Measured {
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
  readonly [name: string]: unknown;
}

function measure(what: string, path: string, times = 1): Measured {
  const script = fileURLToPath(new URL("./measure.ts", import.meta.url));
  const args = ["--conditions=@coppice/source", "--expose-gc", script, what, path, String(times)];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (run.status !== 0) throw new Error(`${what} ended with ${run.status}`);
  return JSON.parse(run.stdout) as Measured;
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const round = (value: unknown): number => Math.round(Number(value) * 10) / 10;
const opening = ({ ms, cpuMs, peakMb }: Measured): object => ({
  firstMs: round(ms[0]),
  medianMs: round(median(ms)),
  medianCpuMs: round(median(cpuMs)),
  peakMb: round(peakMb),
});
const say = (name: string, values: object): void =>
  console.log(name, JSON.stringify(values), `load ${loadavg()[0]?.toFixed(1)}`);

const directory = await mkdtemp(join(tmpdir(), "coppice-bench-session-"));
try {
  for (const { name, times, piTimes, ...size } of SIZES) {
    const path = join(directory, `${size.entries}.jsonl`);
    const { fileBytes, messageBytes } = await generateSession({ path, ...size });
    const perEntry = (fileBytes - messageBytes) / size.entries;
    say(`${name}: file`, {
      mb: round(fileBytes / 1e6),
      overMessages: fileBytes / messageBytes,
      bytesOverAnEntry: perEntry,
    });
    const ours = measure("open", path, times);
    say(`${name}: open + context`, opening(ours));
    if (piTimes > 0) {
      const theirs = measure("open-pi", path, piTimes);
      say(`${name}: pi`, opening(theirs));
      say(`${name}: times faster than pi`, {
        first: round(Number(theirs.ms[0]) / Number(ours.ms[0])),
        median: round(median(theirs.ms) / median(ours.ms)),
        medianCpu: round(median(theirs.cpuMs) / median(ours.cpuMs)),
      });
      say(`${name}: appends a second`, measure("append", path));
      say(`${name}: pi's appends a second`, measure("append-pi", path));
    }
    if (size.entries < 100_000) continue;
    const index = measure("index", path);
    say(`${name}: index`, {
      mbPerSecond: round(fileBytes / 1e3 / Number(index.ms)),
      mbPerCpuSecond: round(fileBytes / 1e3 / Number(index.cpuMs)),
      timesAPlainRead: round(Number(index.ms) / Number(index.plainMs)),
      timesItsCpu: round(Number(index.cpuMs) / Number(index.plainCpuMs)),
      bytesAnEntry: round(Number(index.held) / size.entries),
      withSearch: round(Number(index.withSearch) / size.entries),
      peakMb: round(index.peakMb),
    });
    const { first, p50, p95, max } = index;
    say(`${name}: search`, { first, p50, p95, max });
    await rm(path);
  }
} finally {
  await rm(directory, { recursive: true });
}
