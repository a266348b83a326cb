import packageJson from "../package.json" with { type: "json" };
import { parseArguments } from "./args.ts";

/** Runs a command line and gives the exit code. Nothing heavy is loaded before it is known to be needed. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const args = parseArguments(argv);
    if (args.flags.version) {
      await writeAll(process.stdout, `${packageJson.version}\n`);
      return 0;
    }
    if (args.flags.help) {
      const { helpText } = await import("./help.ts");
      await writeAll(process.stdout, helpText());
      return 0;
    }
    const { run } = await import("./run.ts");
    return await run(args);
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

function writeAll(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((done) => {
    stream.once("error", () => done());
    stream.write(text, () => done());
  });
}

const exitCode = await main(process.argv.slice(2));
// Sockets that providers keep open for reuse and timers of extensions must not hold a finished program.
process.exit(exitCode);
