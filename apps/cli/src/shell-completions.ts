import { COMMANDS, type CommandRow } from "./command-names.ts";
import { FLAGS, type FlagRow } from "./flags.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

const FLAG_ROWS = Object.entries<FlagRow>(FLAGS);
const COMMAND_ROWS = Object.entries<CommandRow>(COMMANDS);

/** A script that completes the commands, flags and values of the tables. */
export function shellCompletions(shell: Shell): string {
  if (shell === "bash") return bash();
  return shell === "zsh" ? zsh() : fish();
}

function bash(): string {
  const values = FLAG_ROWS.flatMap(([name, { choices, type }]) => {
    if (type === "boolean") return [];
    const reply =
      choices === undefined ? 'compgen -f -- "$word"' : `compgen -W ${quoted(choices.join(" "))} -- "$word"`;
    return [`    --${name}) mapfile -t COMPREPLY < <(${reply}); return ;;`];
  });
  const verbs = COMMAND_ROWS.filter(([, row]) => row.verbs !== undefined).map(
    ([name, row]) => `    ${name}) words+=${quoted(` ${(row.verbs ?? []).join(" ")}`)} ;;`,
  );
  const flags = FLAG_ROWS.map(([name]) => `--${name}`).join(" ");
  return `# Completions of coppice for bash: source <(coppice completions bash)
_coppice() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=${quoted(flags)}
  case "$before" in
${values.join("\n")}
${verbs.join("\n")}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words+=${quoted(` ${COMMAND_ROWS.map(([name]) => name).join(" ")}`)}
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _coppice coppice
`;
}

function zsh(): string {
  const flags = FLAG_ROWS.map(([name, row]) => {
    const value = row.choices === undefined ? ":value:_files" : `:value:(${row.choices.join(" ")})`;
    const several = row.isRepeatable === true ? "*" : "";
    return `    ${quoted(`${several}--${name}[${inBrackets(row.help)}]${row.type === "boolean" ? "" : value}`)}`;
  });
  const commands = COMMAND_ROWS.map(([name, row]) => quoted(`${name}:${row.usage[0]?.[1] ?? ""}`));
  const verbs = COMMAND_ROWS.filter(([, row]) => row.verbs !== undefined).map(
    ([name, row]) => `        ${name}) compadd ${(row.verbs ?? []).join(" ")} ;;`,
  );
  return `#compdef coppice
# Completions of coppice for zsh: source <(coppice completions zsh)
_coppice() {
  local state
  _arguments -S \\
${flags.map((flag) => `${flag} \\`).join("\n")}
    '1: :->first' '*: :->rest'
  case "$state" in
    first) local -a commands=(${commands.join(" ")}); _describe command commands; _files ;;
    rest)
      case "$words[2]" in
${verbs.join("\n")}
        *) _files ;;
      esac ;;
  esac
}
compdef _coppice coppice
`;
}

function fish(): string {
  const isFirst = "__fish_is_first_token";
  const commands = COMMAND_ROWS.flatMap(([name, row]) => [
    `complete -c coppice -n ${isFirst} -a ${name} -d ${quoted(row.usage[0]?.[1] ?? "")}`,
    ...(row.verbs === undefined
      ? []
      : [
          `complete -c coppice -n '__fish_seen_subcommand_from ${name}' -f -a ${quoted(row.verbs.join(" "))}`,
        ]),
  ]);
  const flags = FLAG_ROWS.map(([name, row]) => {
    const short = row.short === undefined ? "" : ` -s ${row.short}`;
    const value =
      row.type === "boolean"
        ? ""
        : row.choices === undefined
          ? " -r"
          : ` -x -a ${quoted(row.choices.join(" "))}`;
    return `complete -c coppice -l ${name}${short}${value} -d ${quoted(row.help)}`;
  });
  return `# Completions of coppice for fish: coppice completions fish | source
${[...commands, ...flags].join("\n")}
`;
}

/** A text as one word of a shell script. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\\\''")}'`;
}

/** zsh ends a description at a bracket and splits it at colons. */
function inBrackets(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, "\\$&");
}
