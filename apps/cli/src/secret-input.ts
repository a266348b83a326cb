import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { CliContext } from "./cli-context.ts";
import { CliError } from "./cli-error.ts";
import { readPiped } from "./prompt-input.ts";

/** A secret from a pipe, or from a person at the terminal, who does not see it. Throws `CliError` `usage` for none. */
export async function readSecret(context: CliContext, question: string): Promise<string> {
  const text = process.stdin.isTTY ? await asked(context, question) : await readPiped(context, process.stdin);
  const secret = text.trim();
  if (secret === "") throw new CliError("usage", "There was no key on standard input");
  // A command that prints the key has words.
  if (/\s/.test(secret) && !secret.startsWith("!")) throw new CliError("usage", "A key is one word");
  return secret;
}

async function asked({ stderr, stop }: CliContext, question: string): Promise<string> {
  await stderr.write(question);
  // Lines are edited as usual, and shown nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.on("SIGINT", () => stop.stop("SIGINT"));
  try {
    return await lines.question("", { signal: stop.signal });
  } finally {
    lines.close();
    await stderr.write("\n");
  }
}
