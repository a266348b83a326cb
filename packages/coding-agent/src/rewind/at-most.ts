/** Waits for some work, but no longer than this; the work goes on. Rejects as the work does. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
