import { CrashError } from "../../crash-error.ts";

/** What `watchForLoss` needs of `process`. */
export interface LossSource {
  on(event: "uncaughtException", listener: (error: unknown) => void): unknown;
  off(event: "uncaughtException", listener: (error: unknown) => void): unknown;
  readonly stdin: {
    on(event: "end" | "error", listener: () => void): unknown;
    off(event: "end" | "error", listener: () => void): unknown;
  };
}

/**
 * What ends the program from below: a terminal that has gone away is no mistake of anybody's (resolves), an error that
 * nobody caught is one of Coppice or of an extension (rejects with `CrashError`; fault kind UI-24).
 */
export function watchForLoss(source: LossSource = process): {
  readonly promise: Promise<void>;
  readonly release: () => void;
} {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting yet when it happens.
  promise.catch(() => {});
  const gone = () => resolve();
  const crashed = (error: unknown) => reject(new CrashError(error));
  source.on("uncaughtException", crashed);
  source.stdin.on("end", gone);
  source.stdin.on("error", gone);
  const release = () => {
    source.off("uncaughtException", crashed);
    source.stdin.off("end", gone);
    source.stdin.off("error", gone);
  };
  return { promise, release };
}
