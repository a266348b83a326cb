import type { CliArgs } from "./args.ts";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { useCompileCache } from "./compile-cache.ts";
import { readEnvironment } from "./env.ts";
import { exitCodeOfSignal } from "./exit-codes.ts";
import { loadCommand } from "./load-command.ts";
import { LongWait } from "./long-wait.ts";
import { fromHere } from "./named-extensions.ts";
import { NOBODY } from "./person.ts";
import { placesWithSettings } from "./places-with-settings.ts";
import { type Failure, failureOf, failureText } from "./render/error-text.ts";
import { createStyle } from "./render/style.ts";
import { createStatusLine } from "./status-line.ts";
import { createStopSignal } from "./stop-signal.ts";
import { createTextSink, guardStdout } from "./text-sink.ts";
import { unwritable } from "./unwritable.ts";

/** Runs a command or a mode; resolves with the exit code. After a signal that is the signal's code. */
export async function run(args: CliArgs, version: string): Promise<number> {
  const stop = createStopSignal();
  let lost: Failure | undefined;
  const outputFailed = (error: NodeJS.ErrnoException) => {
    if (stop.reason() === undefined && error.code !== "EPIPE") {
      lost = failureOf(unwritable(error));
      process.stderr.write(failureText(lost, { withStack: false }));
    }
    // Whatever the cause, what goes on writes for nobody.
    stop.stop("SIGPIPE", lost?.exitCode);
  };
  try {
    const context = await createContext({ args, version, stop, outputFailed });
    useCompileCache(context.places);
    const code = await dispatch(context);
    return lost?.exitCode ?? exitCodeAfter(stop) ?? code;
  } catch (error) {
    // What fails because the run was stopped is no failure of its own.
    const code = lost?.exitCode ?? exitCodeAfter(stop);
    if (code === undefined) throw error;
    return code;
  } finally {
    await stop.settled();
    stop.release();
  }
}

interface GivenContext extends Pick<CliContext, "args" | "version" | "stop"> {
  /** Called when standard output fails. */
  readonly outputFailed: (error: Error) => void;
}

async function createContext({ outputFailed, ...given }: GivenContext): Promise<CliContext> {
  const environment = readEnvironment();
  const cwd = currentDirectory();
  const args = withPathsFrom(cwd, given.args);
  const status = createStatusLine(process.stderr);
  const stdout = createTextSink(process.stdout, {
    onFailed: outputFailed,
    beforeWrite: status.erase,
  });
  const stderr = createTextSink(process.stderr, { onFailed: () => {}, beforeWrite: status.erase });
  const wait = new LongWait((text) => text !== undefined && void stderr.write(`coppice: ${text}\n`));
  return {
    ...{ ...given, args },
    environment,
    cwd,
    stdout,
    stderr,
    status,
    person: { ...NOBODY, waiting: (what) => wait.begin(what) },
    places: await placesWithSettings({ environment, cwd, sessionDirectory: args.flags["session-dir"] }),
    style: createStyle(stderr.isTerminal && environment.allowsColor),
  };
}

/** What the command line names by a path is the same wherever the work is done: an editor chooses a folder a session. */
function withPathsFrom(cwd: string, args: CliArgs): CliArgs {
  const { extension } = args.flags;
  if (extension === undefined) return args;
  return { ...args, flags: { ...args.flags, extension: fromHere(extension, cwd) } };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new CliError("no_directory", "The directory that this was started in is gone", { cause: error });
  }
}

async function dispatch(context: CliContext): Promise<number> {
  const { args, stdout } = context;
  if (args.command !== undefined) return (await loadCommand(args.command)).run(context);
  if (args.flags["list-models"]) {
    const { listModels } = await import("./commands/list-models.ts");
    return listModels(context);
  }
  const { print, mode, "output-format": format } = args.flags;
  const isProgram = print === true || mode !== undefined || format !== undefined;
  if (!isProgram && process.stdin.isTTY && stdout.isTerminal) {
    // What is typed while the rest is loaded waits for the editor, without an echo.
    process.stdin.setRawMode(true);
    const { runInteractive } = await import("./modes/interactive/index.ts");
    return runInteractive(context);
  }
  guardStdout(process.stdout, process.stderr);
  if (mode === "rpc") {
    const { runRpcMode } = await import("./modes/rpc/index.ts");
    return runRpcMode(context, process.stdin);
  }
  if (mode === "acp") {
    const { runAcpMode } = await import("./modes/acp/index.ts");
    return runAcpMode(context, process.stdin);
  }
  const { readPrompt } = await import("./prompt-input.ts");
  const prompt = await readPrompt(context, process.stdin);
  if (mode === "json" || format === "stream-json") {
    const { runJsonMode } = await import("./modes/json.ts");
    return runJsonMode(context, prompt);
  }
  if (format === "json") {
    const { runResultMode } = await import("./modes/result.ts");
    return runResultMode(context, prompt);
  }
  const { runPrintMode } = await import("./modes/print.ts");
  return runPrintMode(context, prompt);
}

function exitCodeAfter(stop: CliContext["stop"]): number | undefined {
  const reason = stop.reason();
  return reason === undefined ? undefined : exitCodeOfSignal(reason);
}
