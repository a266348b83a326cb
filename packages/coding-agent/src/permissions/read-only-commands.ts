import type { ShellCommand } from "./shell-command.ts";

/** Arguments that make an otherwise harmless command write or run something; undefined = none does. */
const READ_ONLY: Readonly<Record<string, RegExp | undefined>> = {
  "[": undefined,
  basename: undefined,
  cat: undefined,
  cd: undefined,
  cmp: undefined,
  cut: undefined,
  df: undefined,
  diff: /^--output/,
  dirname: undefined,
  du: undefined,
  echo: undefined,
  false: undefined,
  file: /^(-C|--compile)/,
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
  sort: /^(-[a-zA-Z]*o|--output|--compress-program)/,
  stat: undefined,
  tail: undefined,
  test: undefined,
  tr: undefined,
  tree: /^(-[a-zA-Z]*o|--output)/,
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
const GIT_UNSAFE = /^(--output|--ext-diff|--textconv|-O|--open-files-in-pager)/;

/** Whether a command only reads: known by name, none of its arguments writes or runs something, nothing redirected. */
export function isReadOnlyCommand({ words, writes }: ShellCommand): boolean {
  if (writes.some((path) => path !== "/dev/null")) return false;
  const [name = "", ...args] = words;
  if (name === "git") return isReadOnlyGit(args);
  if (!Object.hasOwn(READ_ONLY, name)) return false;
  const unsafe = READ_ONLY[name];
  // What an expansion becomes is not known, so that it could be one of the unsafe arguments.
  return unsafe === undefined || args.every((arg) => !unsafe.test(arg) && !arg.startsWith("$"));
}

function isReadOnlyGit([subcommand = "", ...args]: readonly string[]): boolean {
  if (args.some((arg) => GIT_UNSAFE.test(arg) || arg.startsWith("$"))) return false;
  if (GIT_SHOWS.has(subcommand)) return true;
  return GIT_LISTS.has(subcommand) && args.every((arg) => GIT_LIST_FLAGS.test(arg));
}
