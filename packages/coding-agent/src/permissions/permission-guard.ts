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
  /** A rule that `always` would add. */
  readonly suggestedRule: string | undefined;
}

/** `always` allows by the suggested rule for the rest of the session. */
export type PermissionAnswer = "once" | "always" | "deny";

export interface PermissionGuardOptions {
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly rules?: PermissionRules;
  /** Resolves links, so that a rule for a folder cannot be evaded by one. */
  readonly files?: Pick<FileSystem, "realPath">;
  /** Asks the user; absent = nobody can be asked, and what would be asked is denied. */
  readonly ask?: (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
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
    if (answer === "always" && rule !== undefined) this.#allow(rule);
    if (answer === "once" || answer === "always") return undefined;
    return {
      block: true,
      reason: "The user did not allow this call. Do something else, or ask what they want instead.",
    };
  }

  #allow(rule: string): void {
    this.#rules = { ...this.#rules, allow: [...(this.#rules.allow ?? []), rule] };
    this.#policy = new PermissionPolicy({ mode: this.mode, rules: this.#rules });
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
