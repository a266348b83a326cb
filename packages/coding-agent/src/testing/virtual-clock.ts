import type { Sleep } from "../sleep.ts";

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Time that passes only when everything waits. */
export interface VirtualClock {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: Sleep;
  /** Runs work to its end, moving the time on whenever nothing else is left to do. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Turns of the event loop without news after which everything counts as waiting. */
const QUIET_TURNS = 4;

export function createVirtualClock(startMs = 1_800_000_000_000): VirtualClock {
  let nowMs = startMs;
  let sleepers: Sleeper[] = [];
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const sleeper: Sleeper = { atMs: nowMs + ms, wake: resolve };
      sleepers.push(sleeper);
      const stop = () => {
        sleepers = sleepers.filter((one) => one !== sleeper);
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  const wakeNext = () => {
    const [next] = sleepers.toSorted((a, b) => a.atMs - b.atMs);
    if (next === undefined) return;
    sleepers = sleepers.filter((one) => one !== next);
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
  };
  return {
    now: () => nowMs,
    sleep,
    async run(work) {
      let isOver = false;
      const result = work().finally(() => {
        isOver = true;
      });
      result.catch(() => {});
      while (!isOver) {
        for (let turn = 0; turn < QUIET_TURNS && !isOver; turn++) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (!isOver) wakeNext();
      }
      return result;
    },
  };
}
