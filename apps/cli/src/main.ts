import { writeSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };

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
      const { answerOnly } = await import("./answer-only.ts");
      return await answerOnly((command?.helpText ?? (await import("./help.ts")).helpText)());
    }
    const { run } = await import("./run.ts");
    return await run(args, packageJson.version);
  } catch (error) {
    const { tellFailure } = await import("./answer-only.ts");
    return tellFailure(error);
  }
}

/** Writes past `process.stdout`: making that stream would be a fifth of the time that this answer takes. */
async function printVersion(): Promise<number> {
  try {
    writeSync(1, `${packageJson.version}\n`);
    return 0;
  } catch (error) {
    const { tellUnwritable } = await import("./answer-only.ts");
    return tellUnwritable(error as Error);
  }
}

const argv = process.argv.slice(2);
// Scripts and editors ask this often; it is answered before even the parser is loaded.
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  process.exitCode = await printVersion();
} else {
  // Sockets that providers keep open for reuse and timers of extensions must not hold a finished program.
  process.exit(await main(argv));
}
