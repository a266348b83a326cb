import type { Sleep } from "./sleep.ts";

export interface LimitOptions {
  readonly sleep: Sleep;
  readonly limitMs: number;
  /** What did not come in time, for the error. */
  readonly what: string;
}

/** Without a reason each end would make an error with a stack, for nobody. */
const OVER = "over";

/** Waits for something that others owe, but not longer than the limit: then it throws and goes on without it. */
export async function withinLimit(pending: Promise<void>, options: LimitOptions): Promise<void> {
  const { sleep, limitMs, what } = options;
  const timer = new AbortController();
  const limit = sleep(limitMs, timer.signal).then(() => {
    if (!timer.signal.aborted) throw new Error(`no answer within ${limitMs / 1000} s to ${what}`);
  });
  try {
    await Promise.race([pending, limit]);
  } finally {
    timer.abort(OVER);
    limit.catch(() => {});
    pending.catch(() => {});
  }
}
