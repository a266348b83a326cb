import type { TuiMainScreen } from "@earendil-works/pi-tui";

/** Longer than a stop takes to come; timers stand still while the process is stopped. */
const STOP_MS = 100;

/** What `handleStops` needs of `process`. */
export interface StopSource {
  readonly pid: number;
  on(signal: "SIGTSTP" | "SIGCONT", listener: () => void): unknown;
  off(signal: "SIGTSTP" | "SIGCONT", listener: () => void): unknown;
  kill(pid: number, signal: "SIGTSTP"): unknown;
}

export interface ProcessStops {
  /** Gives the terminal back to the shell until the process is continued. */
  readonly suspend: () => void;
  /** Gives the terminal to another program until `run` is over, however it ends. */
  readonly lend: (run: () => Promise<void>) => Promise<void>;
  readonly release: () => void;
}

/**
 * The screen around stops of the process: a key's, another process's (`kill -TSTP`), and those that cannot be caught
 * (`kill -STOP`), after which the terminal is taken over anew, because a shell has had it (fault kind UI-22).
 */
export function handleStops(
  tui: Pick<TuiMainScreen, "start" | "stop" | "requestRender">,
  source: StopSource = process,
  { platform }: { readonly platform: NodeJS.Platform } = process,
): ProcessStops {
  let isSuspended = false;
  let isReleased = false;
  let fallback: ReturnType<typeof setTimeout> | undefined;
  const takeOver = () => {
    tui.start();
    tui.requestRender(true);
  };
  const suspend = () => {
    if (platform === "win32" || isSuspended) return;
    isSuspended = true;
    tui.stop();
    // Without a listener the signal does what it does by default.
    source.off("SIGTSTP", suspend);
    source.kill(source.pid, "SIGTSTP");
    // Where no shell could continue the process, the system does not stop it, and nothing would tell it to go on.
    fallback = setTimeout(goOn, STOP_MS);
  };
  const goOn = () => {
    if (!isSuspended) return;
    isSuspended = false;
    clearTimeout(fallback);
    source.on("SIGTSTP", suspend);
    takeOver();
  };
  const onContinue = () => {
    if (isSuspended) return goOn();
    tui.stop();
    takeOver();
  };
  const watch = () => void [source.on("SIGTSTP", suspend), source.on("SIGCONT", onContinue)];
  // What has the terminal stops and goes on together with this process, which has nothing to draw.
  const unwatch = () => void [source.off("SIGTSTP", suspend), source.off("SIGCONT", onContinue)];
  watch();
  return {
    suspend,
    async lend(run) {
      unwatch();
      tui.stop();
      try {
        await run();
      } finally {
        if (!isReleased) {
          watch();
          takeOver();
        }
      }
    },
    release() {
      isReleased = true;
      clearTimeout(fallback);
      unwatch();
    },
  };
}
