import { COMMANDS, type CommandRow } from "./command-names.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { FLAGS, type FlagRow } from "./flags.ts";

const GROUPS = ["Run", "Model", "Session", "Other"] as const satisfies readonly FlagRow["group"][];

const HELP_WIDTH = 96;

/** Where the help of a command begins. */
const COMMAND_COLUMNS = 40;

/** The text of `coppice --help`. */
export function helpText(): string {
  const rows = Object.entries<FlagRow>(FLAGS).map(([name, row]) => ({ ...row, left: flagSyntax(name, row) }));
  const indent = Math.max(...rows.map(({ left }) => left.length)) + 4;
  const groups = GROUPS.map((group) => [
    `${group}:`,
    ...rows.filter((row) => row.group === group).map((row) => flagLines(row, indent)),
    "",
  ]);
  return [
    "coppice: a coding agent whose memory can be trusted",
    "",
    "  coppice                               work in the terminal",
    '  coppice -p "explain this project"     answer once and exit',
    '  coppice -c -p "and the tests?"        go on with the last session of this directory',
    ...commandLines(),
    "",
    ...groups.flat(),
    "Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, OPENROUTER_API_KEY, … in the environment.",
    "Own servers: --base-url URL --model NAME, or ~/.coppice/models.json.",
    "",
    ...wrap(
      `Exit status: ${Object.values(EXIT_CODES)
        .map(({ code, meaning }) => `${code} ${meaning}`)
        .join("; ")}.`,
      HELP_WIDTH,
    ),
    "",
  ].join("\n");
}

function commandLines(): readonly string[] {
  return Object.values<CommandRow>(COMMANDS).flatMap(({ usage }) =>
    usage.map(([syntax, help]) => `  ${`coppice ${syntax}`.padEnd(COMMAND_COLUMNS)}${help}`),
  );
}

/** The flags as a Markdown table, for the documentation. */
export function flagTable(): string {
  const rows = Object.entries<FlagRow>(FLAGS).map(([name, row]) => {
    const help = row.choices === undefined ? row.help : `${row.help} One of ${row.choices.join(", ")}.`;
    return `| \`${flagSyntax(name, row).trim().replace("|", "\\|")}\` | ${help} |`;
  });
  return ["| flag | meaning |", "|---|---|", ...rows].join("\n");
}

function flagSyntax(name: string, row: FlagRow): string {
  const short = row.short === undefined ? "    " : `-${row.short}, `;
  return `${short}--${name}${row.value === undefined ? "" : ` <${row.value}>`}`;
}

function flagLines(row: FlagRow & { readonly left: string }, indent: number): string {
  const help = row.choices === undefined ? row.help : `${row.help} (${row.choices.join("|")})`;
  return wrap(help, HELP_WIDTH - indent)
    .map((line, index) => `${(index === 0 ? `  ${row.left}` : "").padEnd(indent)}${line}`)
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
