import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { SHELLS, type Shell, shellCompletions } from "../shell-completions.ts";

/** `coppice completions SHELL`: a script for the shell to read. */
export async function runCompletionsCommand({ args, stdout }: CliContext): Promise<number> {
  const [name, ...more] = args.words;
  const shell = SHELLS.find((candidate): candidate is Shell => candidate === name);
  if (shell === undefined || more.length > 0) {
    throw new CliError("usage", `"completions ${args.words.join(" ")}" is no command`, {
      advice: `Use \`coppice completions ${SHELLS.join("|")}\`, for example: source <(coppice completions bash)`,
    });
  }
  await stdout.write(shellCompletions(shell));
  return 0;
}
