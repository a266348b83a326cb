import { resolve } from "node:path";
import type { AgentHooks, HookSource, ToolCallDraft, ToolCallVerdict } from "@coppice/agent";
import type { FileSystem } from "../env/environment.ts";
import { messageOf } from "../errors.ts";
import { displayPath } from "../tools/tool-path.ts";
import {
  type PermissionMode,
  PermissionPolicy,
  type PermissionQuestion,
  type PermissionRules,
  suggestedRule,
} from "./permission-policy.ts";

/** What the user is asked. */
export interface PermissionRequest extends PermissionQuestion {
  readonly reason: string;
  /** The rule that `remember` would add. */
  readonly suggestedRule: string | undefined;
}

export interface PermissionAnswer {
  readonly decision: "allow" | "deny";
  /**
   * Whether calls of the same kind are decided so from now on, by the suggested rule: in this session, or saved for
   * good. Without a suggested rule only this call is decided.
   */
  readonly remember?: "session" | "always";
  /** What the model is told of a denial, in the user's words. */
  readonly reason?: string;
}

/** A rule that an answer made. */
export interface RememberedRule {
  readonly decision: PermissionAnswer["decision"];
  readonly rule: string;
}

export interface PermissionGuardOptions {
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly rules?: PermissionRules;
  /** Resolves links, so that a rule for a folder cannot be evaded by one. */
  readonly files?: Pick<FileSystem, "realPath">;
  /** Asks the user; absent = nobody can be asked, and what would be asked is denied. */
  readonly ask?: (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
  /** Saves what is remembered for good; absent or failing = it holds for the session. */
  readonly save?: (rule: RememberedRule) => Promise<void>;
  /** Told in a sentence what could not be saved. */
  readonly onProblem?: (message: string) => void;
}

/** Decides on every tool call, after all hooks had their say on its input. Whatever breaks here blocks the call. */
export class PermissionGuard {
  readonly #options: PermissionGuardOptions;
  #rules: PermissionRules;
  #policy: PermissionPolicy;

  constructor(options: PermissionGuardOptions) {
    this.#options = options;
    this.#rules = options.rules ?? {};
    this.#policy = new PermissionPolicy(options);
  }

  /** Rules that could not be read. */
  get diagnostics(): readonly string[] {
    return this.#policy.diagnostics;
  }

  get mode(): PermissionMode {
    return this.#policy.mode;
  }

  set mode(mode: PermissionMode) {
    this.#policy = new PermissionPolicy({ mode, rules: this.#rules });
  }

  /** Undefined = the call may run. Never throws. */
  async check(draft: ToolCallDraft, signal: AbortSignal): Promise<ToolCallVerdict | undefined> {
    try {
      return await this.#check(draft, signal);
    } catch (error) {
      return { block: true, reason: `The call was not allowed, because asking failed: ${messageOf(error)}` };
    }
  }

  async #check({ call, input }: ToolCallDraft, signal: AbortSignal): Promise<ToolCallVerdict | undefined> {
    const question = { tool: call.name, input, paths: await this.#paths(input) };
    const { decision, reason } = this.#policy.decide(question);
    if (decision === "allow") return undefined;
    const rule = suggestedRule(question);
    const { ask } = this.#options;
    if (decision === "deny" || ask === undefined)
      return denied({ reason, rule, isForbidden: decision === "deny" });
    const answer = await ask({ ...question, reason, suggestedRule: rule }, signal);
    if (signal.aborted) return { block: true, reason: "The question was not answered." };
    if (rule !== undefined) await this.#remember(answer, rule);
    return answer.decision === "allow" ? undefined : { block: true, reason: refusal(answer.reason) };
  }

  async #remember({ decision, remember }: PermissionAnswer, rule: string): Promise<void> {
    if (remember === undefined) return;
    this.#rules = { ...this.#rules, [decision]: [...(this.#rules[decision] ?? []), rule] };
    this.#policy = new PermissionPolicy({ mode: this.mode, rules: this.#rules });
    if (remember === "session") return;
    const { save, onProblem } = this.#options;
    try {
      await save?.({ decision, rule });
    } catch (error) {
      onProblem?.(`The rule ${rule} holds for this session only: ${messageOf(error)}`);
    }
  }

  /** The path of a call as it may be written in a rule: relative, absolute, and where it really leads. */
  async #paths({ path }: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
    if (typeof path !== "string") return [];
    const { cwd, files } = this.#options;
    const absolute = resolve(cwd, path);
    const real = (await files?.realPath(absolute).catch(() => undefined)) ?? absolute;
    return [...new Set([displayPath(absolute, cwd), absolute, displayPath(real, cwd), real])];
  }
}

function refusal(reason: string | undefined): string {
  const words = reason?.trim() ?? "";
  return words === ""
    ? "The user did not allow this call. Do something else, or ask what they want instead."
    : `The user did not allow this call and says: ${words}`;
}

function denied(options: {
  readonly reason: string;
  readonly rule: string | undefined;
  readonly isForbidden: boolean;
}): ToolCallVerdict {
  const { reason, rule, isForbidden } = options;
  const how = isForbidden
    ? "The user can change permissions.deny or the permission mode in the settings."
    : `The user can allow it with ${rule === undefined ? "--permission-mode auto" : `"${rule}" in permissions.allow of the settings, or --permission-mode auto`}.`;
  return { block: true, reason: `Not allowed: ${reason} ${how}` };
}

/** Hooks with a guard behind them: it judges each call with the input that all other handlers have settled on. */
export function guardedHooks<Table extends AgentHooks>(
  hooks: HookSource<Table>,
  guard: Pick<PermissionGuard, "check">,
): HookSource<Table> {
  return {
    table: hooks.table,
    has: (name) => name === "tool_call" || hooks.has(name),
    async dispatch(name, input, signal) {
      const answer = await hooks.dispatch(name, input, signal);
      if (name !== "tool_call") return answer;
      const verdict = answer as ToolCallVerdict | undefined;
      if (verdict?.block === true) return verdict;
      const draft = input as ToolCallDraft;
      return (await guard.check({ ...draft, input: verdict?.input ?? draft.input }, signal)) ?? verdict;
    },
  };
}
