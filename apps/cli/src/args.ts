import { parseArgs } from "node:util";
import { CliError } from "./cli-error.ts";
import { closestWord } from "./closest-word.ts";
import { COMMANDS, type CommandName, type CommandRow, isCommandName } from "./command-names.ts";
import { FLAGS, type FlagName, type FlagRow, type FlagValues } from "./flags.ts";
import { withoutFullStop } from "./render/sentence.ts";

/** A command line, understood. */
export interface CliArgs {
  /** The first word, flags aside, where it is that of a command. Undefined: run the agent. */
  readonly command: CommandName | undefined;
  /** Words that are not flags, in order: the prompt, or the arguments of the command. */
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

/**
 * Parses a command line without the program's name.
 *
 * Everything after `--` is text, and so is a quoted argument that only looks like a flag (`"- do this first"`).
 * Whatever is not understood is an error; nothing is ignored. Throws `CliError` `usage`.
 */
export function parseArguments(argv: readonly string[]): CliArgs {
  const { masked, unmask } = maskText(argv);
  const { values, positionals, tokens } = parseStrictly(masked);
  const unmasked = (value: string | readonly unknown[] | undefined) =>
    typeof value === "string" ? unmask(value) : value?.map((one) => unmask(String(one)));
  const flags: FlagValues = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "boolean" ? value : unmasked(value),
    ]),
  );
  checkFlags(flags);
  const words = positionals.map(unmask);
  // `-p` says that the words are a prompt, and so does `--`.
  const first = tokens.find(({ kind }) => kind === "positional" || kind === "option-terminator");
  const isNamed = first?.kind === "positional" && (first.index === 0 || flags.print !== true);
  const command = isNamed && isCommandName(words[0]) ? words[0] : undefined;
  checkCommand(flags, command);
  if (command === undefined && isNamed && first.index === 0) checkSpelling(words);
  return { command, words: command === undefined ? words : words.slice(1), flags };
}

function parseStrictly(args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries<FlagRow>(FLAGS).map(([name, { type, short, isRepeatable: multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    // The first sentence says what is wrong; those after it are advice for programs built on parseArgs.
    const message = error instanceof Error ? (error.message.split(/\.\s/)[0] ?? "") : String(error);
    throw usage(`${withoutFullStop(message)}${flagHint(message)}`, error);
  }
}

/** The flag that was meant by one that is not known. */
function flagHint(message: string): string {
  const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
  const closest = unknown === undefined ? undefined : closestWord(unknown, Object.keys(FLAGS));
  return closest === undefined ? "" : `; did you mean --${closest}?`;
}

/** Hides text that starts with a dash from the parser: a flag holds no blank before its `=`. */
function maskText(argv: readonly string[]) {
  const texts: string[] = [];
  const masked = argv.map((argument) => {
    if (!/^-[^=]*\s/.test(argument)) return argument;
    texts.push(argument);
    // No real argument holds a NUL character: the operating system ends arguments there.
    return `\0${texts.length - 1}`;
  });
  const unmask = (word: string) => (word.startsWith("\0") ? (texts[Number(word.slice(1))] ?? word) : word);
  return { masked, unmask };
}

function checkFlags(flags: FlagValues): void {
  for (const [name, row] of Object.entries<FlagRow>(FLAGS)) {
    const value = flags[name as FlagName];
    if (value === undefined) continue;
    if (value === "" || (Array.isArray(value) && value.includes(""))) throw usage(`--${name} needs a value`);
    if (row.choices !== undefined && !row.choices.includes(String(value))) {
      throw usage(`--${name} is ${row.choices.join(", ")}, not "${value}"`);
    }
    if (row.requires !== undefined && flags[row.requires as FlagName] === undefined) {
      throw usage(`--${name} needs --${row.requires}`);
    }
    const other = row.excludes?.find((excluded) => flags[excluded as FlagName] !== undefined);
    if (other !== undefined) throw usage(`--${name} and --${other} exclude each other`);
  }
}

/** Words of a prompt beyond which nobody meant a command. */
const MAX_COMMAND_WORDS = 3;

/** A misspelt command is not sent to a model as a prompt: its second word gives it away. */
function checkSpelling([name = "", verb = "", ...rest]: readonly string[]): void {
  if (rest.length > MAX_COMMAND_WORDS - 2) return;
  const meant = closestWord(name, Object.keys(COMMANDS));
  if (!isCommandName(meant) || meant === name) return;
  const { verbs = [] }: CommandRow = COMMANDS[meant];
  if (!verbs.includes(verb)) return;
  throw new CliError("usage", `There is no command ${name}; did you mean \`coppice ${meant} ${verb}\`?`, {
    advice: `As a prompt: coppice -- ${[name, verb, ...rest].join(" ")}`,
  });
}

function checkCommand(flags: FlagValues, command: CommandName | undefined): void {
  if (command !== undefined && flags["output-format"] !== undefined) {
    throw usage(`--output-format is for a prompt; commands such as \`coppice ${command}\` take --mode json`);
  }
  for (const [name, { belongsTo }] of Object.entries<FlagRow>(FLAGS)) {
    if (belongsTo === undefined || flags[name as FlagName] === undefined) continue;
    const owners = belongsTo.split(", ");
    if (owners.some((owner) => owner.split(" ")[0] === command)) continue;
    throw usage(`--${name} belongs to ${owners.map((owner) => `\`coppice ${owner}\``).join(" and ")}`);
  }
}

function usage(message: string, cause?: unknown): CliError {
  return new CliError("usage", message, cause === undefined ? {} : { cause });
}
