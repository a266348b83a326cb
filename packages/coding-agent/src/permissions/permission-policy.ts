import { commandForms, readsScript } from "./command-forms.ts";
import { couldShow, fileRuleFor, mentionsFileOf, type NamedPath } from "./file-rules.ts";
import {
  matchesCommand,
  matchesPath,
  type PermissionRule,
  parsePermissionRule,
  type RulePlaces,
} from "./permission-rule.ts";
import { isReadOnlyCommand } from "./read-only-commands.ts";
import type { ShellCommand, ShellLine } from "./shell-command.ts";
import { splitShellLine } from "./split-shell-line.ts";

/** `read-only`: nothing that changes; `ask`: what is not known to be harmless is asked for; `auto`: what no rule forbids. */
export type PermissionMode = "read-only" | "ask" | "auto";

export const PERMISSION_MODES: readonly PermissionMode[] = ["read-only", "ask", "auto"];

/** Rules such as `bash(git status *)`, `edit(src/**)`, `mcp__*`. `deny` goes over `ask`, `ask` over `allow`. */
export interface PermissionRules {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export interface PermissionQuestion {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Every way to write the path that the call is about; empty for calls that are about none. */
  readonly paths: readonly string[];
  /** Where that path really leads, relative and absolute: what rules that allow are held against. Default: `paths`. */
  readonly realPaths?: readonly string[];
  /** The files that a command line names. */
  readonly named?: readonly NamedPath[];
}

export interface PermissionDecision {
  readonly decision: "allow" | "ask" | "deny";
  /** True for a denial that no setting lifts. */
  readonly isFixed?: boolean;
  /** Why, one sentence for the model and the user. */
  readonly reason: string;
}

export interface PermissionPolicyOptions extends RulePlaces {
  readonly mode: PermissionMode;
  readonly rules?: PermissionRules;
  /** Rules that forbid whatever the user's own say. */
  readonly fixed?: readonly PermissionRule[];
}

/** Tools that only read. */
const READING_TOOLS = new Set(["read", "grep", "find", "ls", "recall"]);

interface Rules {
  readonly allow: readonly PermissionRule[];
  readonly ask: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
}

/**
 * Decides on tool calls. Pure; a rule that cannot be read is in `diagnostics`, and an unreadable `deny` denies all.
 *
 * Rules for files (`read(…)`, `edit(…)`, `write(…)`) count for commands that name such a file as well.
 */
export class PermissionPolicy {
  readonly mode: PermissionMode;
  readonly diagnostics: readonly string[];
  readonly #rules: Rules;

  constructor(options: PermissionPolicyOptions) {
    this.mode = options.mode;
    const diagnostics: string[] = [];
    const parse = (texts: readonly string[] = [], instead?: string) =>
      texts.flatMap((text) => {
        const rule = parsePermissionRule(text, options);
        if (rule !== undefined) return [rule];
        diagnostics.push(`The permission rule "${text}" is not of the form tool or tool(pattern).`);
        const all = instead === undefined ? undefined : parsePermissionRule(instead);
        return all === undefined ? [] : [{ ...all, text }];
      });
    const { allow, ask, deny } = options.rules ?? {};
    // A rule that forbids and cannot be read must not turn into one that forbids nothing.
    this.#rules = {
      allow: parse(allow),
      ask: parse(ask, "*"),
      deny: [...(options.fixed ?? []), ...parse(deny, "*")],
    };
    this.diagnostics = diagnostics;
  }

  decide(question: PermissionQuestion): PermissionDecision {
    const denied = this.#find("deny", question);
    if (denied !== undefined) {
      return {
        decision: "deny",
        reason: denied.why ?? `The rule "${denied.text}" forbids it.`,
        ...(denied.why === undefined ? {} : { isFixed: true }),
      };
    }
    const isHarmless = this.#onlyReads(question);
    if (this.mode === "read-only") {
      return isHarmless
        ? { decision: "allow", reason: "It only reads." }
        : { decision: "deny", reason: "The agent is in read-only mode." };
    }
    if (this.#isBeyondDenyRules(question)) {
      return {
        decision: "ask",
        reason:
          "The command line cannot be taken apart to see whether a rule forbids it; plain commands can.",
      };
    }
    const asked = this.#find("ask", question);
    if (asked !== undefined) return { decision: "ask", reason: `The rule "${asked.text}" asks for it.` };
    if (this.mode === "auto") return { decision: "allow", reason: "No rule forbids it." };
    if (isHarmless) return { decision: "allow", reason: "It only reads." };
    return this.#isAllowed(question)
      ? { decision: "allow", reason: "A rule allows it." }
      : { decision: "ask", reason: "No rule allows it." };
  }

  /** Where rules forbid commands or files, a line that nobody can take apart might hide one. */
  #isBeyondDenyRules(question: PermissionQuestion): boolean {
    if (question.tool !== "bash") return false;
    const text = commandOf(question);
    const { commands, isUnderstood } = splitShellLine(text);
    if (isUnderstood && !commands.some(readsScript)) return false;
    const { deny } = this.#rules;
    return (
      deny.some((rule) => rule.why === undefined && rule.tool.test("bash")) || mentionsFileOf(deny, text)
    );
  }

  /** A rule that speaks of any part of the call. */
  #find(kind: "ask" | "deny", question: PermissionQuestion): PermissionRule | undefined {
    const rules = this.#rules[kind].filter((rule) => speaksOf(rule, question.tool));
    if (question.tool !== "bash") return rules.find((rule) => matchesPath(rule, question.paths));
    const line = splitShellLine(commandOf(question));
    const forms = line.commands.flatMap((command) => commandForms(command));
    const whole = commandOf(question).trim().split(/\s+/);
    const ofCommand = rules.find((rule) => [...forms, whole].some((words) => matchesCommand(rule, words)));
    return ofCommand ?? fileRuleFor(this.#rules[kind], line, question.named ?? []);
  }

  #onlyReads(question: PermissionQuestion): boolean {
    if (question.tool !== "bash") return READING_TOOLS.has(question.tool);
    const line = splitShellLine(commandOf(question));
    if (!line.isUnderstood || line.commands.length === 0) return false;
    return line.commands.every(isReadOnlyCommand) && !this.#couldShow(line, question);
  }

  #couldShow(line: ShellLine, { named = [] }: PermissionQuestion): boolean {
    return couldShow([...this.#rules.deny, ...this.#rules.ask], line, named);
  }

  /** Every part of the call must be allowed, by whichever rules. */
  #isAllowed(question: PermissionQuestion): boolean {
    const { tool, paths, realPaths = paths } = question;
    const rules = this.#rules.allow.filter((rule) => rule.tool.test(tool));
    if (tool !== "bash") return rules.some((rule) => matchesPath(rule, realPaths));
    if (rules.some((rule) => rule.pattern === undefined)) return true;
    const line = splitShellLine(commandOf(question));
    if (!line.isUnderstood || line.commands.length === 0) return false;
    const readingPasses = !this.#couldShow(line, question);
    return line.commands.every(
      (command) =>
        (readingPasses && isReadOnlyCommand(command)) || rules.some((rule) => allowsCommand(rule, command)),
    );
  }
}

/** A rule that keeps a file from being changed does not mind by which tool. */
function speaksOf({ tool, pattern }: PermissionRule, name: string): boolean {
  if (tool.test(name)) return true;
  const isChange = name === "edit" || name === "write";
  return isChange && pattern !== undefined && (tool.test("edit") || tool.test("write"));
}

/** Redirections into files, assignments before a command and names that are computed need more than a command rule. */
function allowsCommand(rule: PermissionRule, { words, writes }: ShellCommand): boolean {
  const [name = ""] = words;
  if (writes.some((path) => path !== "/dev/null") || name === "" || /^\w+\+?=/.test(name)) return false;
  return !name.includes("$") && matchesCommand(rule, words);
}

function commandOf({ input }: Pick<PermissionQuestion, "input">): string {
  return typeof input.command === "string" ? input.command : "";
}
