import { basename } from "node:path";
import type { ShellCommand } from "./shell-command.ts";
import { SHELLS } from "./shell-scripts.ts";
import { splitShellLine } from "./split-shell-line.ts";

/** Programs that run the command in their arguments. */
const WRAPPERS = new Set([
  "sudo",
  "doas",
  "env",
  "nohup",
  "nice",
  "timeout",
  "xargs",
  "command",
  "exec",
  "builtin",
  "time",
  "stdbuf",
  "setsid",
  "busybox",
  "chroot",
  "flock",
  "ionice",
  "parallel",
  "strace",
  "taskset",
  "unshare",
  "watch",
]);
const FIND_RUNS = /^-(exec|execdir|ok|okdir)$/;

/** Whether a command takes what it runs from its input, where no rule can see it. */
export function readsScript({ words }: Pick<ShellCommand, "words">): boolean {
  const [name = "", ...args] = words;
  if (WRAPPERS.has(basename(name))) {
    return args.some((arg, at) => SHELLS.has(basename(arg)) && readsScript({ words: args.slice(at) }));
  }
  return SHELLS.has(basename(name)) && args.every((arg) => arg.startsWith("-") && !/^-\w*c$/.test(arg));
}

/** Further forms of one command are not looked at: no person would write it (fault kind PF-06). */
const MOST_FORMS = 2000;
const MOST_DEPTH = 5;

/**
 * Every way in which a command could be meant by a rule that forbids: itself, by its plain name, and what it runs in turn.
 *
 * Wider than what really runs, and for rules that forbid or ask only.
 */
export function commandForms({ words }: Pick<ShellCommand, "words">): readonly (readonly string[])[] {
  const forms: (readonly string[])[] = [];
  collectForms(words, forms, 0);
  return forms;
}

function collectForms(words: readonly string[], forms: (readonly string[])[], depth: number): void {
  // Where a command may begin among the words; more are found on the way.
  const starts = new Set([0]);
  for (const start of starts) {
    if (forms.length >= MOST_FORMS) return;
    const [name = "", ...args] = words.slice(start);
    const plain = basename(name);
    forms.push([name, ...args], [plain, ...args]);
    // A variable for this one command.
    if (/^\w+\+?=/.test(name)) starts.add(start + 1);
    if (plain === "git") forms.push([plain, ...withoutGlobalOptions(args)]);
    for (const [at, arg] of args.entries()) {
      if (WRAPPERS.has(plain)) starts.add(start + 1 + at);
      else if (plain === "find" && FIND_RUNS.test(arg)) starts.add(start + 2 + at);
    }
    const script = scriptOf(plain, args);
    if (script === undefined || depth === MOST_DEPTH) continue;
    for (const command of splitShellLine(script).commands) collectForms(command.words, forms, depth + 1);
  }
}

function scriptOf(name: string, args: readonly string[]): string | undefined {
  if (name === "eval") return args.join(" ");
  return SHELLS.has(name) ? args[args.findIndex((arg) => /^-\w*c$/.test(arg)) + 1] : undefined;
}

/** Options of git itself that take a word, in front of what it is to do. */
const GIT_OPTIONS = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--config-env",
  "--exec-path",
]);

function withoutGlobalOptions(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith("-") === true) at += GIT_OPTIONS.has(args[at] ?? "") ? 2 : 1;
  return args.slice(at);
}
