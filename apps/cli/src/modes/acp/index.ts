import { Readable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { CliContext } from "../../cli-context.ts";
import { CliError } from "../../cli-error.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { createAcpAgent } from "./acp-agent.ts";
import { AcpSessions } from "./acp-sessions.ts";

/**
 * Serves an editor over the Agent Client Protocol on standard input and output.
 *
 * At the end of the input, or at a signal, what runs is aborted and every session released.
 */
export async function runAcpMode(context: CliContext, input: Readable): Promise<number> {
  if (context.args.words.length > 0) {
    throw new CliError("usage", "--mode acp takes prompts from the editor, not from the command line");
  }
  const sessions = new AcpSessions(context);
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => context.stdout.write(new TextDecoder().decode(bytes)),
  });
  const stream = ndJsonStream(output, Readable.toWeb(input) as ReadableStream<Uint8Array>);
  const connection = createAcpAgent(sessions).connect(stream);
  const stop = () => connection.close();
  context.stop.signal.addEventListener("abort", stop, { once: true });
  try {
    await connection.closed;
  } finally {
    context.stop.signal.removeEventListener("abort", stop);
    await sessions.closeAll();
  }
  return EXIT_CODES.ok.code;
}
