import type { CliContext } from "../cli-context.ts";
import { CliError } from "../cli-error.ts";
import { closestWord } from "../closest-word.ts";
import { tableLines } from "../render/table.ts";

/** What a command can do: the word after its name. */
export interface CommandVerb {
  /** As help and errors write it, after the command's name. */
  readonly syntax: string;
  readonly help: string;
  /** How many words may follow. */
  readonly words: readonly [min: number, max: number];
  run(context: CliContext, words: readonly string[]): Promise<number>;
}

export interface VerbCommand {
  readonly name: string;
  readonly verbs: Readonly<Record<string, CommandVerb>>;
  /** Taken where no word follows. */
  readonly fallback: string;
}

/** Runs the verb that the command line names. Throws `CliError` `usage`, with what there is. */
export function runVerb(context: CliContext, command: VerbCommand): Promise<number> {
  const { name, verbs, fallback } = command;
  const [word = fallback, ...words] = context.args.words;
  const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  if (verb === undefined || words.length < verb.words[0] || words.length > verb.words[1]) {
    throw new CliError("usage", `"${[name, word, ...words].join(" ")}" is no command`, {
      advice: verb === undefined ? usageOfAll(command, word) : `Use \`coppice ${name} ${verb.syntax}\`.`,
    });
  }
  return verb.run(context, words);
}

/** The verbs with their help, one line each. */
export function verbLines({ name, verbs }: VerbCommand): readonly string[] {
  const rows = Object.values(verbs).map(({ syntax, help }) => [`coppice ${name} ${syntax}`, help]);
  return tableLines(rows).map((line) => `  ${line}`);
}

function usageOfAll(command: VerbCommand, written: string): string {
  const closest = closestWord(written, Object.keys(command.verbs));
  const guess = closest === undefined ? [] : [`Did you mean \`coppice ${command.name} ${closest}\`?`];
  return [...guess, "There are:", ...verbLines(command)].join("\n  ");
}
