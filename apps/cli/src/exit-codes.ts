/** What the exit status of `coppice` says; pinned, programs rely on it. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: "a complete answer" },
  failure: { code: 1, meaning: "the model or a tool failed, or there was no answer" },
  usage: { code: 2, meaning: "the command line or a configuration file is wrong" },
  auth: { code: 3, meaning: "no model or no valid key" },
  limit: { code: 4, meaning: "a limit was hit: rate, quota, context or output length" },
  interrupted: { code: 130, meaning: "stopped by SIGINT" },
  pipeClosed: { code: 141, meaning: "the reader of the output went away" },
  terminated: { code: 143, meaning: "stopped by SIGTERM" },
} as const;

/** The signal numbers of POSIX for those that end a run in order; a shell reports 128 + number. */
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 } as const;

const SIGNAL_EXIT_BASE = 128;

/** A signal that ends a run in order. SIGPIPE stands for a closed output. */
export type StopSignalName = keyof typeof SIGNAL_NUMBERS;

/** The exit status after a signal, by the convention of shells. */
export function exitCodeOfSignal(signal: StopSignalName): number {
  return SIGNAL_EXIT_BASE + SIGNAL_NUMBERS[signal];
}
