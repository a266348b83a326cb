import { writeSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };
import type { ToldFailure } from "./told-failure.ts";

/** Runs a command line and gives the exit code. Nothing is loaded before it is known to be needed. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const { parseArguments } = await import("./args.ts");
    const args = parseArguments(argv);
    if (args.flags.version) return await printVersion();
    if (args.flags.help) {
      const command =
        args.command === undefined
          ? undefined
          : await (await import("./load-command.ts")).loadCommand(args.command);
      return await answerOnly((command?.helpText ?? (await import("./help.ts")).helpText)());
    }
    const { run } = await import("./run.ts");
    return await run(args, packageJson.version);
  } catch (error) {
    const { toldFailure } = await import("./told-failure.ts");
    return tell(toldFailure(error));
  }
}

/** Writes past `process.stdout`: making that stream would be a fifth of the time that this answer takes. */
async function printVersion(): Promise<number> {
  try {
    writeSync(1, `${packageJson.version}\n`);
    return 0;
  } catch (error) {
    return tellUnwritable(error as Error);
  }
}

async function answerOnly(text: string): Promise<number> {
  const error = await failedWrite(process.stdout, text);
  return error === undefined ? 0 : tellUnwritable(error);
}

async function tellUnwritable(error: Error): Promise<number> {
  const { toldUnwritable } = await import("./told-failure.ts");
  return tell(toldUnwritable(error));
}

async function tell({ text, exitCode }: ToldFailure): Promise<number> {
  await failedWrite(process.stderr, text);
  return exitCode;
}

/** Writes a text; resolves with why it was not written, undefined when it was. */
function failedWrite(stream: NodeJS.WriteStream, text: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    stream.once("error", resolve);
    stream.write(text, (error) => resolve(error ?? undefined));
  });
}

const argv = process.argv.slice(2);
// Scripts and editors ask this often; it is answered before even the parser is loaded.
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  process.exitCode = await printVersion();
} else {
  // Sockets that providers keep open for reuse and timers of extensions must not hold a finished program.
  process.exit(await main(argv));
}
