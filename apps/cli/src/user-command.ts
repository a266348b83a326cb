import type { AgentMessage } from "@coppice/agent";
import type { Shell } from "@coppice/coding-agent";

/** The end of an output says how it went; this much of it is kept. */
const MAX_OUTPUT_BYTES = 50_000;

export interface UserCommandOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Runs a command of the user's own; a failing one is a result as well. */
export async function runUserCommand(shell: Shell, command: string, options: UserCommandOptions) {
  const { cwd, signal, now } = options;
  let output = Buffer.alloc(0);
  let isCut = false;
  const exit = await shell.run(command, {
    ...{ cwd, signal },
    onOutput(chunk) {
      const all = Buffer.concat([output, chunk]);
      isCut ||= all.length > MAX_OUTPUT_BYTES;
      output = all.subarray(-MAX_OUTPUT_BYTES);
    },
  });
  return {
    role: "bashExecution",
    command,
    output: output.toString("utf8").replace(/\n$/, ""),
    ...(exit.exitCode === undefined ? {} : { exitCode: exit.exitCode }),
    cancelled: exit.reason === "aborted",
    truncated: isCut,
    timestamp: now(),
  } as const satisfies AgentMessage;
}
