import { writeSync } from "node:fs";
import packageJson from "../package.json" with { type: "json" };

/** Runs a command line and gives the exit code. Nothing is loaded before it is known to be needed. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const { parseArguments } = await import("./args.ts");
    const args = parseArguments(argv);
    if (args.flags.version) {
      printVersion();
      return 0;
    }
    if (args.flags.help) {
      const command =
        args.command === undefined
          ? undefined
          : await (await import("./load-command.ts")).loadCommand(args.command);
      await writeAll(process.stdout, (command?.helpText ?? (await import("./help.ts")).helpText)());
      return 0;
    }
    const { run } = await import("./run.ts");
    return await run(args, packageJson.version);
  } catch (error) {
    const [{ failureOf, failureText }, { readEnvironment }] = await Promise.all([
      import("./render/error-text.ts"),
      import("./env.ts"),
    ]);
    const failure = failureOf(error);
    await writeAll(process.stderr, failureText(failure, { withStack: readEnvironment().isDebug }));
    return failure.exitCode;
  }
}

/** Writes past `process.stdout`: making that stream would be a fifth of the time that this answer takes. */
function printVersion(): void {
  writeSync(1, `${packageJson.version}\n`);
}

function writeAll(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((done) => {
    stream.once("error", () => done());
    stream.write(text, () => done());
  });
}

const argv = process.argv.slice(2);
// Scripts and editors ask this often; it is answered before even the parser is loaded.
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  printVersion();
} else {
  // Sockets that providers keep open for reuse and timers of extensions must not hold a finished program.
  process.exit(await main(argv));
}
