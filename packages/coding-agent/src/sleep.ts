/** Waits; resolves at once when `signal` fires, and leaves no timer behind. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** `Sleep` by the system's timers. */
export const sleep: Sleep = (ms, signal) => {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", done);
    resolve();
  };
  const timer = setTimeout(done, ms);
  signal.addEventListener("abort", done, { once: true });
  return promise;
};
