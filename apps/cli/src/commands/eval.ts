import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { coppiceSubject } from "../eval/coppice-subject.ts";
import { piSubject } from "../eval/pi-subject.ts";
import { reportOf } from "../eval/report.ts";
import { runEval } from "../eval/run-eval.ts";
import { passes } from "../eval/score.ts";
import type { SubjectKind } from "../eval/subject.ts";
import { EXIT_CODES } from "../exit-codes.ts";

const DEFAULT_SESSIONS = 3;
const DEFAULT_COMPACTIONS = 3;
const DEFAULT_SEED = 1;

/**
 * `coppice eval [agent …]`: what agents still know of a session after it was compacted, as a table on standard output.
 *
 * Exit code 1 when Coppice is among them and does not reach what it needs, or an agent failed on the way; what was done is
 * printed all the same. Throws `no_program` at once where an agent is not installed. Nothing leaves the machine.
 */
export async function runEvalCommand(context: CliContext): Promise<number> {
  const { args, environment, stdout, stderr, stop } = context;
  const { sessions, compactions, seed } = args.flags;
  const options = {
    sessions: count("sessions", sessions, DEFAULT_SESSIONS),
    compactions: count("compactions", compactions, DEFAULT_COMPACTIONS),
    seed: count("seed", seed, DEFAULT_SEED),
  };
  const names = args.words.length === 0 ? ["coppice"] : args.words;
  const kinds = names.map((name) => subjectOf(name, environment.get("PATH") ?? ""));
  const outcomes = await runEval({
    ...options,
    kinds,
    signal: stop.signal,
    onExit: stop.onExit,
    onSession: async (agent, done) => {
      if (stderr.isTerminal) await stderr.write(`${agent}: session ${done} of ${options.sessions} done\n`);
    },
  });
  await stdout.write(reportOf(outcomes));
  const own = outcomes.find(({ agent }) => agent === coppiceSubject.name);
  const isComplete = outcomes.every(({ failure }) => failure === undefined);
  const isGood = isComplete && (own === undefined || passes(own.sessions, options));
  return isGood ? EXIT_CODES.ok.code : EXIT_CODES.failure.code;
}

/** `pi` is found on `PATH`; `pi=<file>` names its program, a script is run by this Node. */
function subjectOf(word: string, path: string): SubjectKind {
  const [name, file] = word.split(/=(.*)/s, 2);
  if (name === coppiceSubject.name && file === undefined) return coppiceSubject;
  if (name !== "pi") {
    throw new CliError("usage", `There is no adapter for "${word}"; known are coppice, pi and pi=<file>`);
  }
  if (file === undefined) return piSubject({ command: ["pi"], path });
  return piSubject({ command: /\.[cm]?js$/.test(file) ? [process.execPath, file] : [file], path });
}

function count(flag: string, value: string | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new CliError("usage", `--${flag} is a whole number above 0, not "${value}"`);
}
