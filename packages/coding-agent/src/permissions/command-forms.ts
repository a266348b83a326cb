import { basename } from "node:path";
import type { ShellCommand } from "./shell-command.ts";
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
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);
const FIND_RUNS = /^-(exec|execdir|ok|okdir)$/;

/** Whether a command takes what it runs from its input, where no rule can see it. */
export function readsScript({ words }: Pick<ShellCommand, "words">): boolean {
  const [name = "", ...args] = words;
  if (WRAPPERS.has(basename(name))) return args.some((_, at) => readsScript({ words: args.slice(at) }));
  return SHELLS.has(basename(name)) && args.every((arg) => arg.startsWith("-") && !/^-\w*c$/.test(arg));
}

/**
 * Every way in which a command could be meant by a rule that forbids: itself, by its plain name, and what it runs in turn.
 *
 * Wider than what really runs, and for rules that forbid or ask only.
 */
export function commandForms(
  { words }: Pick<ShellCommand, "words">,
  depth = 0,
): readonly (readonly string[])[] {
  const [name = "", ...args] = words;
  const plain = basename(name);
  const forms = [words, [plain, ...args]];
  if (depth > 5) return forms;
  const inner = (more: readonly string[]) => commandForms({ words: more }, depth + 1);
  if (WRAPPERS.has(plain)) {
    for (let from = 0; from < args.length; from++) forms.push(...inner(args.slice(from)));
  }
  if (plain === "find") {
    for (const [at, arg] of args.entries()) if (FIND_RUNS.test(arg)) forms.push(...inner(args.slice(at + 1)));
  }
  const script = SHELLS.has(plain) ? args[args.findIndex((arg) => /^-\w*c$/.test(arg)) + 1] : undefined;
  const text = plain === "eval" ? args.join(" ") : script;
  if (text !== undefined) {
    for (const command of splitShellLine(text).commands) forms.push(...commandForms(command, depth + 1));
  }
  return forms;
}
