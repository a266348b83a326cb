import { recallEntries, recallRequestOf } from "@coppice/coding-agent";
import type { JsonlRepo } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { CliError } from "../../cli-error.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { jsonLine } from "../../render/json-line.ts";
import { inertText } from "../../render/terminal-text.ts";
import { sessionRef } from "../../session-choice.ts";

/**
 * `coppice sessions recall SESSION HANDLE|WORDS [--budget TOKENS]`: what the tool `recall` would show the model. The session
 * may be in use.
 */
export async function recallFromSession(
  { args, cwd, stdout }: CliContext,
  repo: JsonlRepo,
  { ref, typed }: { readonly ref: string; readonly typed: string },
): Promise<number> {
  const budget = budgetOf(args.flags.budget);
  const session = await repo.open(sessionRef(ref, cwd), { readOnly: true });
  try {
    const found = await recallEntries(session, { ...(await recallRequestOf(session, typed)), ...budget });
    await stdout.write(args.flags.mode === "json" ? jsonLine(found) : inertText(`${found.text}\n`));
    return EXIT_CODES.ok.code;
  } finally {
    await session.close();
  }
}

function budgetOf(written: string | undefined): { readonly budgetTokens?: number } {
  if (written === undefined) return {};
  if (/^[1-9]\d{0,8}$/.test(written)) return { budgetTokens: Number(written) };
  throw new CliError("usage", `--budget takes a number of tokens, not "${written}"`);
}
