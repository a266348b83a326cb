import type { AgentHooks, HookSource, ToolCallDraft, ToolCallVerdict } from "@coppice/agent";
import type { FileSystem } from "../env/environment.ts";
import { messageOf } from "../errors.ts";
import { displayPath } from "../tools/tool-path.ts";
import { type PathLook, questionOf } from "./call-question.ts";
import {
  type PermissionMode,
  PermissionPolicy,
  type PermissionQuestion,
  type PermissionRules,
} from "./permission-policy.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { aliasesOf, protectedFileRules } from "./protected-files.ts";
import { suggestedRule } from "./suggested-rule.ts";

/** What the user is asked. */
export interface PermissionRequest extends PermissionQuestion {
  readonly toolCallId: string;
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
  /** Those of the tools: paths are found and links resolved as they do it, so that no rule can be evaded by either. */
  readonly files?: Pick<FileSystem, "realPath" | "stat">;
  /** What `~` stands for, to the tools and in rules. */
  readonly homeDirectory?: string | undefined;
  /**
   * Where the user's own files lie. In every mode the keys in it are neither read nor changed by a call that names them,
   * and settings, trust, models, servers and extensions are not changed.
   */
  readonly userDirectory?: string | undefined;
  /** Asks the user; absent = nobody can be asked, and what would be asked is denied. */
  readonly ask?: (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
  /** Saves what is remembered for good; absent or failing = it holds for the session. */
  readonly save?: (rule: RememberedRule) => Promise<void>;
}

const NO_FILES: PathLook["files"] = {
  realPath: async (path) => path,
  stat: async () => {
    throw Object.assign(new Error("There are no files here."), { code: "ENOENT" });
  },
};

/** Decides on every tool call, after all hooks had their say on its input. Whatever breaks here blocks the call. */
export class PermissionGuard {
  readonly #options: PermissionGuardOptions;
  #rules: PermissionRules;
  #fixed: readonly PermissionRule[];
  #policy: PermissionPolicy;
  /** The protected files with their links resolved. */
  #resolved: Promise<void> | undefined;
  #onProblem: (message: string) => void = () => undefined;

  constructor(options: PermissionGuardOptions) {
    this.#options = options;
    this.#rules = options.rules ?? {};
    this.#fixed = options.userDirectory === undefined ? [] : protectedFileRules(options.userDirectory);
    this.#policy = this.#policyOf(options.mode);
  }

  /** Rules that could not be read. */
  get diagnostics(): readonly string[] {
    return this.#policy.diagnostics;
  }

  get mode(): PermissionMode {
    return this.#policy.mode;
  }

  set mode(mode: PermissionMode) {
    this.#policy = this.#policyOf(mode);
  }

  /** Who hears, in a sentence, of what could not be saved; an agent takes that over for its guard. */
  set onProblem(listener: (message: string) => void) {
    this.#onProblem = listener;
  }

  /** The user's rules in force, those that answers added included. */
  get rules(): PermissionRules {
    return this.#rules;
  }

  /** Whether a search may show what is in a file. `path` is absolute, its links resolved. */
  readonly mayRead = (path: string): boolean => {
    const paths = [displayPath(path, this.#options.cwd), path];
    return this.#policy.decide({ tool: "read", input: { path }, paths }).decision === "allow";
  };

  /** Undefined = the call may run. Never throws. */
  async check(draft: ToolCallDraft, signal: AbortSignal): Promise<ToolCallVerdict | undefined> {
    try {
      return await this.#check(draft, signal);
    } catch (error) {
      return { block: true, reason: `The call was not allowed, because asking failed: ${messageOf(error)}` };
    }
  }

  async #check({ call, input }: ToolCallDraft, signal: AbortSignal): Promise<ToolCallVerdict | undefined> {
    await this.#resolveLinks();
    const question = await questionOf(call.name, input, this.#look);
    const { decision, reason, isFixed } = this.#policy.decide(question);
    if (decision === "allow") return undefined;
    if (isFixed === true) return { block: true, reason: `Not allowed: ${reason} No setting changes that.` };
    const rule = suggestedRule(question);
    const { ask } = this.#options;
    if (decision === "deny" || ask === undefined)
      return denied({ reason, rule, isForbidden: decision === "deny" });
    const answer = await ask({ ...question, toolCallId: call.id, reason, suggestedRule: rule }, signal);
    if (signal.aborted) return { block: true, reason: "The question was not answered." };
    if (rule !== undefined) await this.#remember(answer, rule);
    return answer.decision === "allow" ? undefined : { block: true, reason: refusal(answer.reason) };
  }

  async #remember({ decision, remember }: PermissionAnswer, rule: string): Promise<void> {
    if (remember === undefined) return;
    this.#rules = { ...this.#rules, [decision]: [...(this.#rules[decision] ?? []), rule] };
    this.#policy = this.#policyOf(this.mode);
    if (remember === "session") return;
    try {
      await this.#options.save?.({ decision, rule });
    } catch (error) {
      this.#onProblem(`The rule ${rule} holds for this session only: ${messageOf(error)}`);
    }
  }

  get #look(): PathLook {
    const { cwd, homeDirectory, files = NO_FILES } = this.#options;
    return { cwd, homeDirectory, files };
  }

  #policyOf(mode: PermissionMode): PermissionPolicy {
    const { cwd, homeDirectory } = this.#options;
    return new PermissionPolicy({ mode, cwd, homeDirectory, rules: this.#rules, fixed: this.#fixed });
  }

  /** The user's folder, or a file in it, may be a link: then its target is protected as well. */
  #resolveLinks(): Promise<void> {
    const { userDirectory, files } = this.#options;
    if (userDirectory === undefined || files === undefined) return Promise.resolve();
    this.#resolved ??= aliasesOf(userDirectory, files).then((aliases) => {
      this.#fixed = [
        ...protectedFileRules(userDirectory),
        ...protectedFileRules(aliases.folder, aliases.files),
      ];
      this.#policy = this.#policyOf(this.mode);
    });
    return this.#resolved;
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
