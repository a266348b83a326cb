import type { ShellCommand } from "./shell-command.ts";

/** `test -v 'a[$(cmd)]'` runs the command (bash(1), arithmetic evaluation of subscripts). */
const TEST_UNSAFE = /^-[vR]$/;

/**
 * Arguments that make an otherwise harmless command write or run something; undefined = none does.
 *
 * Long options are given by their shortest form: getopt_long takes any beginning of them.
 */
const READ_ONLY: Readonly<Record<string, RegExp | undefined>> = {
  "[": TEST_UNSAFE,
  basename: undefined,
  cat: undefined,
  cd: undefined,
  cmp: undefined,
  cut: undefined,
  df: undefined,
  diff: /^--o/,
  dirname: undefined,
  du: undefined,
  echo: undefined,
  false: undefined,
  file: /^(-[^-]*C|--c)/,
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  grep: undefined,
  head: undefined,
  id: undefined,
  ls: undefined,
  nl: undefined,
  pwd: undefined,
  readlink: undefined,
  realpath: undefined,
  rg: /^--(pre|hostname-bin)/,
  sort: /^(-[^-]*o|--o|--co)/,
  stat: undefined,
  tail: undefined,
  test: TEST_UNSAFE,
  tr: undefined,
  tree: /^(-[^-]*[oR]|--o)/,
  true: undefined,
  uname: undefined,
  wc: undefined,
  which: undefined,
  whoami: undefined,
};

/** Subcommands of git that only show; more arguments of `branch`, `remote` and `tag` would change something. */
const GIT_SHOWS = new Set([
  "blame",
  "describe",
  "diff",
  "log",
  "ls-files",
  "ls-tree",
  "rev-parse",
  "shortlog",
  "show",
  "status",
]);
const GIT_LISTS = new Set(["branch", "remote", "tag"]);
const GIT_LIST_FLAGS = /^(-a|-r|-v|-vv|-l|--list|--all|--show-current)$/;
const GIT_UNSAFE = /^(--ou|--ext|--textc|-O|--open)/;

/** Whether a command only reads: known by name, none of its arguments writes or runs something, nothing redirected. */
export function isReadOnlyCommand(command: ShellCommand): boolean {
  const { words, writes } = command;
  if (writes.some((path) => path !== "/dev/null")) return false;
  const [name = ""] = words;
  if (name === "git") return isReadOnlyGit(command);
  if (!Object.hasOwn(READ_ONLY, name)) return false;
  const unsafe = READ_ONLY[name];
  return (
    unsafe === undefined || (words.slice(1).every((word) => !unsafe.test(word)) && !mayBecomeOption(command))
  );
}

function isReadOnlyGit(command: ShellCommand): boolean {
  const words = command.words.filter((word, index) => index !== 1 || word !== "--no-pager");
  const [, subcommand = "", ...args] = words;
  if (args.some((arg) => GIT_UNSAFE.test(arg)) || mayBecomeOption(command)) return false;
  if (GIT_SHOWS.has(subcommand)) return true;
  return GIT_LISTS.has(subcommand) && args.every((arg) => GIT_LIST_FLAGS.test(arg));
}

/** What an expansion becomes is not known: it could be an unsafe argument, or a file that is named like one. */
function mayBecomeOption({ words, openWords }: ShellCommand): boolean {
  return openWords.some((index) => index > 0 && /^($|[-$*?[{])/.test(words[index] ?? ""));
}
