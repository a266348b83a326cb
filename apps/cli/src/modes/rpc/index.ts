import type { Readable } from "node:stream";
import type { CliContext } from "../../cli-context.ts";
import { CliError } from "../../cli-error.ts";
import { composeWithModels, knownModelsOf, setupOf } from "../../compose.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { failureOf } from "../../render/error-text.ts";
import { jsonEvent } from "../../render/json-event.ts";
import { jsonLine } from "../../render/json-line.ts";
import { AgentSeat, type AgentSeatOptions } from "./agent-seat.ts";
import { stateOf } from "./handlers.ts";
import { finishWork } from "./keep-alive.ts";
import { LineDecoder } from "./line-decoder.ts";
import { RPC_PROTOCOL, type RpcReady } from "./protocol.ts";
import { Questions } from "./questions.ts";
import { failureFrom, RpcServer } from "./rpc-server.ts";

/**
 * Serves a program: commands on standard input, responses and events on standard output, one JSON object a line.
 *
 * Where no model can be used it is served all the same, so that it can log in or choose another one; when it has done
 * neither by the end of the input, that is the error. Throws `no_model`, `no_key` then.
 *
 * At the end of the input what runs is finished, its questions answered with no, and the session released. A signal
 * aborts it, and so does a reader that is gone.
 */
export async function runRpcMode(context: CliContext, input: Readable): Promise<number> {
  const write = (value: unknown) => context.stdout.write(jsonLine(value));
  if (context.args.words.length > 0) {
    throw new CliError("usage", "--mode rpc takes prompts as commands, not from the command line");
  }
  const questions = new Questions(write);
  const { permission, dialog: dialogs } = questions;
  const person = { ...context.person, permission, dialogs };
  const asking = { ...context, person };
  const first = await firstAgent(asking);
  const listener = (event: Parameters<typeof jsonEvent>[0]) => write(jsonEvent(event));
  const seat = new AgentSeat({ context: asking, ...first, questions, listener });
  const report = (error: unknown) =>
    void write({ type: "diagnostic", level: "error", message: failureOf(error).message });
  const server = new RpcServer({ host: { seat, report, emit: write, signal: context.stop.signal }, write });
  const stop = () => {
    input.destroy();
    void seat.abort();
  };
  context.stop.signal.addEventListener("abort", stop, { once: true });
  try {
    await write({ type: "ready", protocol: RPC_PROTOCOL, ...(await standing(seat)) } satisfies RpcReady);
    await readCommands(input, server, context.stop.signal);
    questions.leave();
    await finishWork(
      server.idle().then(() => seat.waitForIdle()),
      write,
    );
  } finally {
    context.stop.signal.removeEventListener("abort", stop);
    await seat.dispose();
  }
  if (seat.missing !== undefined && !context.stop.signal.aborted) throw seat.missing;
  return EXIT_CODES.ok.code;
}

/** The agent of the flags; where no model can be used, what a client needs to mend that. */
async function firstAgent(context: CliContext): Promise<Pick<AgentSeatOptions, "known" | "built">> {
  try {
    const { known, ...built } = await composeWithModels(context);
    return { known, built };
  } catch (missing) {
    if (!(missing instanceof CliError) || (missing.code !== "no_model" && missing.code !== "no_key")) {
      throw missing;
    }
    const known = await knownModelsOf(context);
    return { known, built: { missing, setup: await setupOf(context, known, context.cwd) } };
  }
}

async function standing(seat: AgentSeat): Promise<Pick<RpcReady, "state" | "missing">> {
  return seat.missing === undefined ? { state: await stateOf(seat) } : { missing: failureFrom(seat.missing) };
}

async function readCommands(input: Readable, server: RpcServer, signal: AbortSignal): Promise<void> {
  const decoder = new LineDecoder();
  try {
    for await (const chunk of input) for (const line of decoder.push(chunk)) server.take(line);
    for (const line of decoder.end()) server.take(line);
  } catch (error) {
    // An input that was closed to stop the program has no end of its own.
    if (!signal.aborted) throw error;
  }
}
