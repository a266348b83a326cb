import { basename } from "node:path";
import type { ShellCommand } from "./shell-command.ts";
import { splitShellLine } from "./split-shell-line.ts";

/** A rule as users write it: `tool` or `tool(pattern)`, `*` in either. */
export interface PermissionRule {
  readonly text: string;
  readonly tool: RegExp;
  /** Absent = every call of the tool. */
  readonly pattern: string | undefined;
}

/** Undefined for a text that is no rule. */
export function parsePermissionRule(text: string): PermissionRule | undefined {
  const match = /^([\w*.-]+)(?:\((.*)\))?$/s.exec(text.trim());
  if (match === null) return undefined;
  const [, tool = "", pattern] = match;
  return { text: text.trim(), tool: wildcard(tool), pattern: pattern?.trim() };
}

/** Whether a rule speaks of a command: `*` stands for anything, ` *` at the end also for nothing. */
export function matchesCommand(rule: PermissionRule, words: readonly string[]): boolean {
  if (rule.pattern === undefined) return true;
  const line = words.join(" ");
  const bare = rule.pattern.endsWith(" *") ? rule.pattern.slice(0, -2) : undefined;
  return wildcard(rule.pattern).test(line) || (bare !== undefined && wildcard(bare).test(line));
}

/** Whether a rule speaks of a path: `*` stays within a folder, `**` goes deeper. */
export function matchesPath(rule: PermissionRule, paths: readonly string[]): boolean {
  if (rule.pattern === undefined) return true;
  const expression = pathGlob(rule.pattern);
  return paths.some((path) => expression.test(path));
}

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
]);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

/**
 * Every way in which a command could be meant by a rule that forbids: itself, by its plain name, and what it runs in turn.
 *
 * Wider than what really runs, and for rules that forbid or ask only.
 */
export function commandForms({ words }: ShellCommand, depth = 0): readonly (readonly string[])[] {
  const [name = "", ...args] = words;
  const plain = basename(name);
  const forms = [words, [plain, ...args]];
  if (depth > 5) return forms;
  const inner = (more: readonly string[]) => commandForms({ words: more, writes: [] }, depth + 1);
  if (WRAPPERS.has(plain)) {
    for (let from = 0; from < args.length; from++) forms.push(...inner(args.slice(from)));
  }
  const script = SHELLS.has(plain) ? args[args.findIndex((arg) => /^-\w*c$/.test(arg)) + 1] : undefined;
  const text = plain === "eval" ? args.join(" ") : script;
  if (text !== undefined) {
    for (const command of splitShellLine(text).commands) forms.push(...commandForms(command, depth + 1));
  }
  return forms;
}

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(escaped).join("[\\s\\S]*")}$`);
}

function pathGlob(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) =>
      part === "**/"
        ? "(?:.*/)?"
        : part === "**"
          ? ".*"
          : part === "*"
            ? "[^/]*"
            : part === "?"
              ? "[^/]"
              : escaped(part),
    )
    .join("");
  return new RegExp(`^${source}$`, "s");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
