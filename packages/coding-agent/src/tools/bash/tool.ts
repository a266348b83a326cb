import type { AgentTool, ToolResult } from "@coppice/agent";
import { type Static, Type } from "typebox";
import type { Environment, ShellExit } from "../../env/environment.ts";
import { createFileTree } from "../../file-tree/create-file-tree.ts";
import type { Truncation } from "../../text/truncate.ts";
import type { ChangeObserver } from "../change-observer.ts";
import { FileLedger } from "../file-ledger.ts";
import { ToolError, textResult } from "../tool-error.ts";
import { OUTPUT_LIMITS, type ToolOptions } from "../tool-options.ts";
import { CommandChanges } from "./command-changes.ts";
import { CommandOutput, type FinishedOutput } from "./command-output.ts";
import { BASH_DESCRIPTION } from "./description.ts";
import { cutNotice, exitNotice } from "./exit-notice.ts";
import { throttle } from "./throttle.ts";

/** Partial output is shown at most this often. */
const UPDATE_INTERVAL_MS = 100;
/** Names of changed files told at most. */
const MAX_REPORTED_FILES = 100;
/** The longest delay that timers of JavaScript can wait, in whole seconds. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

const parameters = Type.Object({
  command: Type.String({ description: "Command line" }),
  timeout: Type.Optional(
    Type.Number({
      description: "Seconds after which the command is ended; default: none",
      exclusiveMinimum: 0,
      maximum: MAX_TIMEOUT_SECONDS,
    }),
  ),
});

type BashParameters = Static<typeof parameters>;

export interface BashDetails {
  readonly exitCode?: number;
  /** Name of the signal that ended the command. */
  readonly signal?: string;
  readonly durationMs: number;
  readonly truncation?: Truncation;
  readonly fullOutputPath?: string;
  /** Files under the working directory that changed while the command ran; absent when none did. */
  readonly modifiedFiles?: readonly string[];
}

/** Runs shell commands and returns the end of their output. A failed command is an error result. */
export function createBashTool(options: ToolOptions): AgentTool<typeof parameters, BashDetails> {
  const { cwd, environment } = options;
  const ledger = options.ledger ?? new FileLedger(environment.files);
  const tree = options.tree ?? createFileTree(options);
  const look = new CommandChanges({ cwd, tree, ledger });
  return {
    name: "bash",
    label: "Bash",
    description: BASH_DESCRIPTION,
    parameters,
    execute: (toolCallId, params: BashParameters, signal, onUpdate, { now }) =>
      // A command may need what earlier calls of its batch make, and make what later ones need.
      ledger.queue.alone(() =>
        runCommand({
          ...{ toolCallId, params, signal, onUpdate, now, cwd, environment, look },
          observer: options.changes,
        }),
      ),
  };
}

interface CommandCall {
  readonly toolCallId: string;
  readonly params: BashParameters;
  readonly signal: AbortSignal;
  readonly onUpdate: (partial: ToolResult<BashDetails>) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly cwd: string;
  readonly environment: Environment;
  readonly look: CommandChanges;
  readonly observer: ChangeObserver | undefined;
}

async function runCommand(call: CommandCall): Promise<ToolResult<BashDetails>> {
  const { params, signal, look, observer, environment } = call;
  signal.throwIfAborted();
  if (params.command.includes("\0")) throw new ToolError("The command has a NUL character in it.");
  const between = await look.before(signal, { isExact: observer !== undefined });
  await observer?.beforeCommand(between);
  const fileName = `bash-${call.toolCallId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60)}.log`;
  const kept = new CommandOutput({ limits: OUTPUT_LIMITS, scratch: environment.scratch, fileName });
  const startedAtMs = call.now();
  look.begin();
  const durationMs = (): number => call.now() - startedAtMs;
  const updates = throttle(
    () => call.onUpdate(textResult(kept.tail().text, { durationMs: durationMs() })),
    UPDATE_INTERVAL_MS,
  );
  try {
    const exit = await environment.shell.run(params.command, {
      cwd: call.cwd,
      signal,
      ...(params.timeout === undefined ? {} : { timeoutMs: Math.ceil(params.timeout * 1000) }),
      onOutput: (chunk) => {
        const written = kept.push(chunk);
        updates.request();
        return written;
      },
    });
    const tookMs = durationMs();
    // An aborted command may have changed files as well.
    const { changes, time } = await look.after();
    await observer?.afterCommand(call.toolCallId, time, changes);
    const modifiedFiles = changes.slice(0, MAX_REPORTED_FILES).map(({ path }) => path);
    const output = await kept.finish();
    return commandResult({ exit, output, durationMs: tookMs, timeout: params.timeout, modifiedFiles });
  } finally {
    updates.stop();
  }
}

interface FinishedCommand {
  readonly exit: ShellExit;
  readonly output: FinishedOutput;
  readonly durationMs: number;
  /** Seconds. */
  readonly timeout: number | undefined;
  readonly modifiedFiles: readonly string[];
}

function commandResult(command: FinishedCommand): ToolResult<BashDetails> {
  const { exit, output, durationMs, timeout, modifiedFiles } = command;
  const ending = exitNotice(exit, timeout);
  const notices = [cutNotice(output, output.fullOutputPath), ending].filter((notice) => notice !== undefined);
  const text = output.text.trim() === "" ? "(no output)" : output.text;
  return {
    ...textResult(notices.length === 0 ? text : `${text}\n\n${notices.join("\n")}`, {
      ...(exit.exitCode === undefined ? {} : { exitCode: exit.exitCode }),
      ...(exit.signal === undefined ? {} : { signal: exit.signal }),
      durationMs,
      ...(output.truncation === undefined ? {} : { truncation: output.truncation }),
      ...(output.fullOutputPath === undefined ? {} : { fullOutputPath: output.fullOutputPath }),
      ...(modifiedFiles.length === 0 ? {} : { modifiedFiles }),
    }),
    isError: ending !== undefined,
  };
}
