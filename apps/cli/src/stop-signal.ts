import { exitCodeOfSignal, type StopSignalName } from "./exit-codes.ts";

/** Time for aborting and flushing after the first signal; then the process ends anyway. */
const STOP_DEADLINE_MS = 5_000;

const WATCHED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What `createStopSignal` needs of `process`. */
export interface SignalSource {
  on(signal: (typeof WATCHED)[number], listener: () => void): unknown;
  off(signal: (typeof WATCHED)[number], listener: () => void): unknown;
  exit(code: number): void;
}

/** The wish to stop, from the outside. */
export interface StopSignal {
  /** Fires once, at the first signal or `stop`. */
  readonly signal: AbortSignal;
  /** What asked to stop; undefined while nothing did. */
  readonly reason: () => StopSignalName | undefined;
  /** `exitCode`: of the process that the deadline ends; default: that of the reason. */
  readonly stop: (reason: StopSignalName, exitCode?: number) => void;
  /** What must not outlive the process, such as commands: called at `release`, and before the process is ended. */
  readonly onExit: (cleanUp: () => void) => void;
  /** What the program waits for before it ends by itself, such as a login whose old token is gone; forgotten once done. */
  readonly waitFor: (work: Promise<unknown>) => void;
  /** Resolves when all of that is done, well or not. */
  readonly settled: () => Promise<void>;
  readonly release: () => void;
}

/**
 * Turns signals into one ordered shutdown: the first fires the signal, a second one or the deadline ends the process.
 *
 * Programs built on it abort and flush, then exit with `exitCodeOfSignal(reason())`.
 */
export function createStopSignal(source: SignalSource = process): StopSignal {
  const controller = new AbortController();
  let received: StopSignalName | undefined;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  const cleanUps = new Set<() => void>();
  const work = new Set<Promise<unknown>>();

  const cleanUp = () => {
    for (const one of cleanUps) one();
    cleanUps.clear();
  };
  const exit = (exitCode: number) => {
    cleanUp();
    source.exit(exitCode);
  };

  const stop = (reason: StopSignalName, exitCode: number = exitCodeOfSignal(reason)) => {
    if (received !== undefined) {
      // A closed pipe is reported once per write; only an impatient person counts as a second request.
      if (reason !== "SIGPIPE") exit(exitCode);
      return;
    }
    received = reason;
    deadline = setTimeout(() => exit(exitCode), STOP_DEADLINE_MS).unref();
    controller.abort(new Error(`Stopped by ${reason}.`));
  };
  const listeners = WATCHED.map((name) => ({ name, listener: () => stop(name) }));
  for (const { name, listener } of listeners) source.on(name, listener);
  return {
    signal: controller.signal,
    reason: () => received,
    stop,
    onExit: (one) => void cleanUps.add(one),
    waitFor(one) {
      work.add(one);
      const done = () => work.delete(one);
      one.then(done, done);
    },
    settled: async () => {
      while (work.size > 0) await Promise.allSettled(work);
    },
    release() {
      cleanUp();
      clearTimeout(deadline);
      for (const { name, listener } of listeners) source.off(name, listener);
    },
  };
}
