import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateSession } from "./generate-session.ts";

/**
 * Open, append, index, search and size on generated sessions of 1,000, 100,000 and 1,000,000 entries, beside pi 1.6.
 *
 * Opening is measured from the builds of both, as they are installed, in processes of their own that take turns: the
 * first open of each process (nothing is loaded but the package), then more of them. Build first: `pnpm build`.
 */
const SIZES = [
  { name: "1,000 entries", entries: 1000, textChars: 1300, processes: 9, times: 20, piTimes: 20 },
  { name: "100,000 entries", entries: 100_000, textChars: 1300, processes: 3, times: 5, piTimes: 2 },
  { name: "1,000,000 entries", entries: 1_000_000, textChars: 800, processes: 3, times: 3, piTimes: 0 },
];

interface Measured {
  readonly ms: readonly number[];
  readonly cpuMs: readonly number[];
  readonly [name: string]: unknown;
}

const SOURCE = ["--conditions=@coppice/source"];

function measure(what: string, path: string, times = 1, conditions: readonly string[] = SOURCE): Measured {
  const script = fileURLToPath(new URL("./measure.ts", import.meta.url));
  const args = [...conditions, "--expose-gc", script, what, path, String(times)];
  const run = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (run.status !== 0) throw new Error(`${what} ended with ${run.status}`);
  return JSON.parse(run.stdout) as Measured;
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
const round = (value: unknown): number => Math.round(Number(value) * 10) / 10;
const least = (all: readonly number[]): number => Math.min(...all);

/** The first open of each process, and all later ones. */
class Openings {
  readonly #runs: Measured[] = [];

  add(run: Measured): void {
    this.#runs.push(run);
  }

  get first(): readonly number[] {
    return this.#runs.map(({ ms }) => ms[0] ?? 0);
  }

  get firstCpu(): readonly number[] {
    return this.#runs.map(({ cpuMs }) => cpuMs[0] ?? 0);
  }

  get later(): readonly number[] {
    return this.#runs.flatMap(({ ms }) => ms.slice(1));
  }

  get figures(): object {
    return {
      firstMs: { min: round(least(this.first)), median: round(median(this.first)) },
      firstCpuMs: { min: round(least(this.firstCpu)), median: round(median(this.firstCpu)) },
      laterMs: { min: round(least(this.later)), median: round(median(this.later)) },
      peakMb: round(Math.max(...this.#runs.map(({ peakMb }) => Number(peakMb)))),
    };
  }
}

function measureOpenings(name: string, path: string, size: (typeof SIZES)[number]): void {
  const [ours, theirs] = [new Openings(), new Openings()];
  for (let process = 0; process < size.processes; process++) {
    ours.add(measure("open", path, size.times, []));
    if (size.piTimes > 0) theirs.add(measure("open-pi", path, size.piTimes, []));
  }
  say(`${name}: open + context`, ours.figures);
  if (size.piTimes === 0) return;
  say(`${name}: pi`, theirs.figures);
  const times = (of: (openings: Openings) => number): number => round(of(theirs) / of(ours));
  say(`${name}: times faster than pi`, {
    firstMin: times(({ first }) => least(first)),
    firstMedian: times(({ first }) => median(first)),
    firstCpuMedian: times(({ firstCpu }) => median(firstCpu)),
    laterMedian: times(({ later }) => median(later)),
  });
}

const say = (name: string, values: object): void =>
  console.log(name, JSON.stringify(values), `load ${loadavg()[0]?.toFixed(1)}`);

const directory = await mkdtemp(join(tmpdir(), "coppice-bench-session-"));
try {
  for (const size of SIZES) {
    const { name, entries, textChars } = size;
    const path = join(directory, `${entries}.jsonl`);
    const { fileBytes, messageBytes } = await generateSession({ path, entries, textChars });
    const perEntry = (fileBytes - messageBytes) / entries;
    say(`${name}: file`, {
      mb: round(fileBytes / 1e6),
      overMessages: fileBytes / messageBytes,
      bytesOverAnEntry: perEntry,
    });
    measureOpenings(name, path, size);
    if (size.piTimes > 0) {
      say(`${name}: appends a second`, measure("append", path));
      say(`${name}: pi's appends a second`, measure("append-pi", path));
    }
    if (entries < 100_000) continue;
    const index = measure("index", path);
    say(`${name}: index`, {
      mbPerSecond: round(fileBytes / 1e3 / Number(index.ms)),
      mbPerCpuSecond: round(fileBytes / 1e3 / Number(index.cpuMs)),
      timesAPlainRead: round(Number(index.ms) / Number(index.plainMs)),
      timesItsCpu: round(Number(index.cpuMs) / Number(index.plainCpuMs)),
      bytesAnEntry: round(Number(index.held) / entries),
      withSearch: round(Number(index.withSearch) / entries),
      peakMb: round(index.peakMb),
    });
    const { first, p50, p95, max } = index;
    say(`${name}: search`, { first, p50, p95, max });
    await rm(path);
  }
} finally {
  await rm(directory, { recursive: true });
}
