/** Calls `action` at once, then at most every `intervalMs` while `request` goes on; `stop` drops what waits. */
export function throttle(action: () => void, intervalMs: number): { request(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  const tick = (): void => {
    timer = undefined;
    if (!isWanted) return;
    isWanted = false;
    action();
    timer = setTimeout(tick, intervalMs);
  };
  return {
    request() {
      isWanted = true;
      if (timer === undefined) tick();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      isWanted = false;
    },
  };
}
