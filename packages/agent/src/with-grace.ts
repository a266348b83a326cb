/** Stands for a promise that was not waited for any longer. */
export const GAVE_UP: unique symbol = Symbol("gave up");

export interface Grace {
  readonly signal: AbortSignal;
  /** How long work may go on after the abort before it is left to itself. */
  readonly graceMs: number;
}

/** The outcome of the promise; `GAVE_UP` when it is still open `graceMs` after the abort. Leaves no timer or listener. */
export function withGrace<T>(promise: Promise<T>, { signal, graceMs }: Grace): Promise<T | typeof GAVE_UP> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = () => {
      timer = setTimeout(() => resolve(GAVE_UP), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    promise.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
  });
}
