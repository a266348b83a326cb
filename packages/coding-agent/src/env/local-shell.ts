import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { Duplex, type Readable } from "node:stream";
import { isContinuationByte } from "../text/truncate.ts";
import type { Shell, ShellExit, ShellRunOptions } from "./environment.ts";
import { isGroupLeft, killLeftGroup, killTree, signalGroup } from "./kill-tree.ts";

/** After the shell's exit, output of its children is awaited this long since the last chunk. */
const QUIET_MS = 200;
/** A background child that never stops printing is not listened to for longer than this. */
const MAX_LATE_MS = 1500;

export interface LocalShellOptions {
  /** Absolute path of a POSIX shell. */
  readonly shellPath: string;
  /** The whole environment of the child. */
  readonly environmentVariables: Readonly<Record<string, string>>;
}

/** A shell on this machine; it knows which of its commands, and of the children that they left, still run. */
export type LocalShell = Required<Shell>;

/**
 * Runs commands as `<shell> -c <command>`, each in a session and process group of its own, without a terminal and with
 * nothing to read from.
 */
export function createLocalShell(options: LocalShellOptions): LocalShell {
  const running = new Set<number>();
  const left = new Set<number>();
  return {
    run: (command, runOptions) => run(command, runOptions, { ...options, running, left }),
    killAll() {
      for (const pid of running) signalGroup(pid, "SIGKILL");
      for (const pid of left) killLeftGroup(pid);
      left.clear();
    },
  };
}

interface ShellState extends LocalShellOptions {
  /** Leaders of the process groups of running commands. */
  readonly running: Set<number>;
  /** Process groups of finished commands with children that go on. */
  readonly left: Set<number>;
}

async function run(command: string, options: ShellRunOptions, shell: ShellState): Promise<ShellExit> {
  if (options.signal.aborted) return { exitCode: undefined, signal: undefined, reason: "aborted" };
  await requireDirectory(options.cwd);
  const child = spawn(shell.shellPath, ["-c", command], {
    cwd: options.cwd,
    env: shell.environmentVariables,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  refuseInput(child);
  const output = forwardOutput(child, options.onOutput);
  const exited = noted(child, shell);
  const guard = watch(child, exited, options);
  try {
    const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
    await output.settled();
    await guard.killed();
    return { exitCode: code ?? undefined, signal: signal ?? undefined, reason: guard.reason() };
  } finally {
    guard.dispose();
    output.dispose();
  }
}

/** Resolves at the child's exit; until then its process group is among the running ones. */
async function noted(child: ChildProcess, { running, left }: ShellState): Promise<unknown[]> {
  const { pid } = child;
  if (pid === undefined) return once(child, "exit");
  running.add(pid);
  try {
    return await once(child, "exit");
  } finally {
    running.delete(pid);
    for (const group of left) if (!isGroupLeft(group)) left.delete(group);
    if (isGroupLeft(pid)) left.add(pid);
  }
}

/**
 * Ends this side's writing half of the output streams, which are socket pairs. Programs that find stdin at its end read
 * keys from stderr instead (vim, less), and would wait there for ever.
 */
function refuseInput({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr]) {
    if (stream instanceof Duplex) stream.end();
  }
}

/** `spawn` reports a missing working directory as a missing shell. */
async function requireDirectory(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (!found?.isDirectory())
    throw new Error(`The working directory ${cwd} does not exist or is no directory.`);
}

/** Kills the tree on abort and on timeout, and remembers which of them came first. */
function watch(child: ChildProcess, exited: Promise<unknown>, options: ShellRunOptions) {
  let reason: ShellExit["reason"] = "exited";
  let killing: Promise<void> | undefined;
  const stop = (why: "timeout" | "aborted"): void => {
    if (killing !== undefined || child.pid === undefined) return;
    reason = why;
    killing = killTree({ pid: child.pid, exited });
  };
  const onAbort = (): void => stop("aborted");
  options.signal.addEventListener("abort", onAbort, { once: true });
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), options.timeoutMs);
  return {
    reason: () => reason,
    killed: async (): Promise<void> => killing,
    dispose: (): void => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", onAbort);
    },
  };
}

/**
 * Passes both streams on. A background child may hold the pipes for ever, so the end of the streams is not awaited:
 * `settled` resolves when they end or stay quiet for `QUIET_MS` after the shell's exit.
 */
function forwardOutput(child: ChildProcess, onOutput: ShellRunOptions["onOutput"]) {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  let open = streams.length;
  let wake: (() => void) | undefined;
  let chunks = 0;
  for (const stream of streams) {
    let rest: Buffer = Buffer.alloc(0);
    stream.on("data", (chunk: Buffer) => {
      chunks++;
      const data = Buffer.concat([rest, chunk]);
      const end = wholeCharacters(data);
      rest = data.subarray(end);
      if (end > 0) deliver(stream, onOutput(data.subarray(0, end)));
    });
    stream.on("error", () => undefined);
    stream.once("close", () => {
      if (rest.length > 0) void onOutput(rest);
      open--;
      wake?.();
    });
  }
  const quiet = async (): Promise<void> => {
    while (open > 0) {
      const seen = chunks;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, QUIET_MS);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
      if (chunks === seen && streams.every((stream) => !stream.isPaused())) return;
    }
  };
  const settled = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((done) => {
      timer = setTimeout(done, MAX_LATE_MS);
    });
    await Promise.race([quiet(), limit]);
    clearTimeout(timer);
  };
  const dispose = (): void => {
    for (const stream of streams) stream.destroy();
  };
  return { settled, dispose };
}

/** Holds the stream until a slow listener is done, so that a fast command does not fill the memory. */
function deliver(stream: Readable, answer: unknown): void {
  if (!(answer instanceof Promise)) return;
  stream.pause();
  void answer.catch(() => undefined).then(() => stream.resume());
}

/** How many bytes at the start of a chunk are whole UTF-8 characters. */
function wholeCharacters(data: Uint8Array): number {
  let start = data.length - 1;
  while (start > 0 && data.length - start < 4 && isContinuationByte(data[start])) start--;
  const lead = data[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length > data.length - start ? start : data.length;
}
