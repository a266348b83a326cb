import type { Shell } from "../env/environment.ts";
import { CodingAgentError } from "../errors.ts";

/** Where secrets that are not written down come from. */
export interface SecretSources {
  /** The value of an environment variable; undefined or empty = not set. */
  readonly variable: (name: string) => string | undefined;
  /** What a command prints, line breaks at the end aside. */
  readonly command: (command: string) => Promise<string>;
}

const COMMAND_TIMEOUT_MS = 30_000;
const MOST_SECRET_CHARS = 16_384;

/**
 * The secret that a text stands for: `$NAME` or `${NAME}` a variable, `!command` what a command prints, anything else
 * itself. `$$` and `!!` at the beginning stand for one such character. Throws `invalid_key`; secrets are in no message.
 */
export async function resolveSecret(text: string, sources: SecretSources): Promise<string> {
  if (text.startsWith("$$") || text.startsWith("!!")) return text.slice(1);
  const variable = /^\$(?:\{(\w+)\}|(\w+))$/.exec(text);
  const name = variable?.[1] ?? variable?.[2];
  if (name !== undefined) {
    const value = sources.variable(name);
    if (value) return value;
    throw new CodingAgentError({ code: "invalid_key", message: `The variable ${name} is not set.` });
  }
  if (!text.startsWith("!")) return text;
  const secret = (await sources.command(text.slice(1).trim())).trim();
  if (secret !== "" && !secret.includes("\n")) return secret;
  throw new CodingAgentError({
    code: "invalid_key",
    message: `The command for a key printed ${secret === "" ? "nothing" : "more than one line"}.`,
  });
}

/** Runs commands for secrets through a shell; what they print on stderr is not part of the secret. */
export function shellSecrets(options: {
  readonly shell: Shell;
  readonly cwd: string;
}): SecretSources["command"] {
  return async (command) => {
    const { shell, cwd } = options;
    const chunks: Uint8Array[] = [];
    let length = 0;
    const exit = await shell.run(`(${command}\n) 2>/dev/null`, {
      cwd,
      signal: new AbortController().signal,
      timeoutMs: COMMAND_TIMEOUT_MS,
      onOutput: (chunk) => {
        length += chunk.length;
        if (length <= MOST_SECRET_CHARS) chunks.push(chunk);
      },
    });
    if (exit.reason === "exited" && exit.exitCode === 0) return Buffer.concat(chunks).toString("utf8");
    const how = exit.reason === "timeout" ? "took too long" : `ended with code ${exit.exitCode ?? "none"}`;
    throw new CodingAgentError({ code: "invalid_key", message: `The command for a key ${how}.` });
  };
}
