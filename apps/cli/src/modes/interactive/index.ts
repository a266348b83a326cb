import type { CliContext } from "../../cli-context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";

/** Works with a person at a terminal; resolves with the exit code. */
export async function runInteractive(context: CliContext): Promise<number> {
  await context.stderr.write('The interactive mode is not available yet. Use: coppice -p "your prompt"\n');
  return EXIT_CODES.usage.code;
}
