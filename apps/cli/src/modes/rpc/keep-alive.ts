import { setTimeout as delay } from "node:timers/promises";

/** How long nobody may have been reading before it is noticed. */
const INTERVAL_MS = 2_000;

/** Says that work goes on after the end of the input. */
interface RpcKeepAlive {
  readonly type: "keep_alive";
}

/**
 * Waits for work that a client asked for before it ended the input, and writes a line from time to time meanwhile: a
 * client that still reads loses nothing by it, and to one that is gone the write fails, which ends the program (fault
 * CL-10). Work that prints nothing would not show it.
 */
export async function finishWork(
  work: Promise<unknown>,
  write: (event: RpcKeepAlive) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const asking = keepAsking(write, over.signal);
  try {
    await work;
  } finally {
    over.abort();
    await asking;
  }
}

async function keepAsking(write: (event: RpcKeepAlive) => Promise<void>, over: AbortSignal): Promise<void> {
  while (await passed(over)) await write({ type: "keep_alive" });
}

/** Whether an interval has passed before it was over. */
function passed(over: AbortSignal): Promise<boolean> {
  return delay(INTERVAL_MS, true, { signal: over }).catch(() => false);
}
