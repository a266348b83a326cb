import { createInterface } from "node:readline/promises";
import {
  type LoginStep,
  type LoginWay,
  login,
  type OAuthCredential,
  type OAuthServer,
} from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { loginLines } from "./render/login-lines.ts";

export interface TerminalLoginOptions {
  readonly provider: string;
  readonly server: OAuthServer;
  readonly way?: LoginWay;
}

/** Signs a person in from the shell: what to do goes to standard error; at a terminal the answer may be pasted. */
export async function loginAtTerminal(
  { stderr, stop }: Pick<CliContext, "stderr" | "stop">,
  options: TerminalLoginOptions,
): Promise<OAuthCredential> {
  const canPaste = process.stdin.isTTY === true;
  return login({
    ...options,
    ...{ fetch, now: Date.now, signal: stop.signal },
    show: async (step: LoginStep) => {
      await stderr.write(`${loginLines(step, { canPaste }).join("\n")}\n`);
    },
    paste: canPaste ? (signal) => pasted(stop, signal) : undefined,
  });
}

/** A line of a person; waits for ever when there is none, and ends with the signal. */
async function pasted(stop: CliContext["stop"], signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on("SIGINT", () => stop.stop("SIGINT"));
  try {
    return await lines.question("", { signal });
  } finally {
    lines.close();
  }
}
