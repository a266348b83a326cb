import { spawnSync } from "node:child_process";

/** A command that is timed as a whole process. */
export interface Subject {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Timing {
  readonly name: string;
  /** Wall time in milliseconds. */
  readonly minMs: number;
  readonly medianMs: number;
}

/**
 * Times the subjects in turn (A B A B …), so that a drift of the machine's speed meets all of them alike; one warm-up
 * each is not counted. Throws when a command fails: a failing command is not a timing.
 */
export function timePaired(subjects: readonly Subject[], runs: number): readonly Timing[] {
  const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let run = -1; run < runs; run++) {
    for (const { name, command, env } of subjects) {
      const [file, ...args] = command;
      const start = performance.now();
      const result = spawnSync(file, args, {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, ...env },
      });
      const elapsedMs = performance.now() - start;
      if (result.status !== 0) throw new Error(`${name} ended with ${result.status}: ${result.stderr}`);
      if (run >= 0) times.get(name)?.push(elapsedMs);
    }
  }
  return [...times].map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return { name, minMs: sorted[0] ?? 0, medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0 };
  });
}

/** Prints the timings with their ratio to the last one, the yardstick. */
export function printRatios(timings: readonly Timing[]): void {
  const yardstick = timings.at(-1);
  if (!yardstick) return;
  console.table(
    timings.map((timing) => ({
      name: timing.name,
      "min ms": timing.minMs.toFixed(1),
      "median ms": timing.medianMs.toFixed(1),
      "min ratio": (timing.minMs / yardstick.minMs).toFixed(2),
      "median ratio": (timing.medianMs / yardstick.medianMs).toFixed(2),
    })),
  );
}
