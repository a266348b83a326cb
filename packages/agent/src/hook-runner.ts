/**
 * How the answers of several handlers combine.
 *
 * `observe`: all run, answers ignored. `pipe`: each answer feeds the next handler. `first`: the first answer wins.
 * `patch`: given fields replace those of the value, in order.
 */
export type HookPolicy = "observe" | "pipe" | "first" | "patch";

/** One row of a hook table. `guard` = a handler that throws must block what it guards (fail closed). */
export interface HookRow<Input = unknown, Output = unknown, Policy extends HookPolicy = HookPolicy> {
  readonly policy: Policy;
  readonly guard: boolean;
  /**
   * Policy `first`: does this answer decide? One that does not is merged into the input, so that the handlers after it
   * see the change and may still decide. Absent = every answer decides.
   */
  readonly decides?: (answer: Output) => boolean;
  /** Carries the types; never set. */
  readonly types?: (input: Input) => Output;
}

export interface HookOptions<Output> {
  readonly guard?: boolean;
  readonly decides?: (answer: Output) => boolean;
}

/**
 * A hook that takes `Input` and whose handlers answer `Output` (or nothing).
 *
 * Name the policy as the third type parameter too: it is what types the answer of `run`.
 */
export function hook<Input, Output, Policy extends HookPolicy = HookPolicy>(
  policy: Policy,
  options: HookOptions<Output> = {},
): HookRow<Input, Output, Policy> {
  const { guard = false, decides } = options;
  return { policy, guard, ...(decides === undefined ? {} : { decides }) };
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any input and output; each row keeps its own types.
export type HookTable = Readonly<Record<string, HookRow<any, any>>>;

/** Declares a table of hooks; layers above extend it by spreading. */
export function defineHooks<Table extends HookTable>(table: Table): Table {
  return table;
}

type TypesOf<Row> =
  Row extends HookRow<infer Input, infer Output, infer Policy> ? [Input, Output, Policy] : never;

export type HookInput<Table, Name extends keyof Table> = TypesOf<Table[Name]>[0];
export type HookOutput<Table, Name extends keyof Table> = TypesOf<Table[Name]>[1];

/** What `run` gives: the combined value (`pipe`, `patch`), the answer that decided (`first`), or nothing (`observe`). */
export type HookResult<Table, Name extends keyof Table> = {
  observe: undefined;
  pipe: HookInput<Table, Name>;
  patch: HookInput<Table, Name>;
  first: HookOutput<Table, Name> | undefined;
}[TypesOf<Table[Name]>[2] & HookPolicy];

/** A handler: may answer, may be asynchronous. `undefined` = no answer. */
export type HookHandler<Table, Name extends keyof Table> = (
  input: HookInput<Table, Name>,
  signal: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: an observer returns nothing.
) => HookOutput<Table, Name> | undefined | void | Promise<HookOutput<Table, Name> | undefined | void>;

export interface HookFailure {
  readonly hook: string;
  /** Who registered the handler. */
  readonly owner: string;
  readonly error: unknown;
}

/** Thrown by a guard hook whose handler threw: the caller blocks what it guards and shows the reason. */
export class HookBlockedError extends Error {
  override readonly name = "HookBlockedError";
  readonly failure: HookFailure;
  constructor(failure: HookFailure) {
    const reason = failure.error instanceof Error ? failure.error.message : String(failure.error);
    super(`Hook ${failure.hook} of ${failure.owner} failed: ${reason}`, { cause: failure.error });
    this.failure = failure;
  }
}

/** A runner as a lower layer sees it: its table has at least the rows of `Table`. */
export interface HookSource<Table> {
  readonly table: Table;
  has(name: string): boolean;
  dispatch(name: string, input: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Runs a hook of a layer through any runner whose table includes that layer's rows. */
export async function runHook<Table, Name extends keyof Table & string>(
  hooks: HookSource<Table>,
  name: Name,
  input: HookInput<Table, Name>,
  signal: AbortSignal,
): Promise<HookResult<Table, Name>> {
  return (await hooks.dispatch(name, input, signal)) as HookResult<Table, Name>;
}

export interface HookRunnerOptions {
  /** Told of every handler that threw and was skipped; guards throw `HookBlockedError` instead. */
  readonly onFailure: (failure: HookFailure) => void;
}

export interface HookRegistration {
  /** Who registers: named in failures. */
  readonly owner?: string;
}

interface Registered {
  readonly owner: string;
  readonly handler: (input: unknown, signal: AbortSignal) => unknown;
}

/** The one place where handlers are called: in order of registration, each awaited, combined by the hook's policy. */
export class HookRunner<Table extends HookTable> implements HookSource<Table> {
  readonly table: Table;
  readonly #onFailure: (failure: HookFailure) => void;
  readonly #handlers = new Map<string, readonly Registered[]>();

  constructor(table: Table, options: HookRunnerOptions) {
    this.table = table;
    this.#onFailure = options.onFailure;
  }

  /** Registers a handler; the returned function removes it. Changes apply from the next run of the hook. */
  on<Name extends keyof Table & string>(
    name: Name,
    handler: HookHandler<Table, Name>,
    { owner = "unknown" }: HookRegistration = {},
  ): () => void {
    const entry: Registered = { owner, handler: handler as Registered["handler"] };
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), entry]);
    return () => {
      this.#handlers.set(
        name,
        (this.#handlers.get(name) ?? []).filter((other) => other !== entry),
      );
    };
  }

  has(name: string): boolean {
    return (this.#handlers.get(name)?.length ?? 0) > 0;
  }

  /** Runs a hook. Throws `HookBlockedError` when a handler of a guard throws; every other failure is reported. */
  run<Name extends keyof Table & string>(
    name: Name,
    input: HookInput<Table, Name>,
    signal: AbortSignal,
  ): Promise<HookResult<Table, Name>> {
    return runHook<Table, Name>(this, name, input, signal);
  }

  /** `run` without types; throws for a hook that the table does not declare. */
  async dispatch(name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    const row = Object.hasOwn(this.table, name) ? this.table[name] : undefined;
    if (row === undefined) throw new TypeError(`There is no hook "${name}".`);
    let value = input;
    let undecided: unknown;
    for (const entry of this.#handlers.get(name) ?? []) {
      const answer = await this.#call(name, row, entry, value, signal);
      if (answer === undefined || row.policy === "observe") continue;
      if (row.policy === "pipe") value = answer;
      else if (row.policy === "patch") value = merged(value, answer);
      else if (row.decides?.(answer) ?? true) return answer;
      else {
        value = merged(value, answer);
        undecided = merged(undecided, answer);
      }
    }
    return row.policy === "first" ? undecided : row.policy === "observe" ? undefined : value;
  }

  async #call(
    name: string,
    row: HookRow,
    entry: Registered,
    input: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return (await entry.handler(input, signal)) ?? undefined;
    } catch (error) {
      const failure: HookFailure = { hook: name, owner: entry.owner, error };
      if (row.guard) throw new HookBlockedError(failure);
      this.#onFailure(failure);
      return undefined;
    }
  }
}

/** `value` with the fields that the answer gives; fields given as `undefined` are left alone. */
function merged(value: unknown, answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  const given = Object.entries(answer).filter(([, field]) => field !== undefined);
  return { ...(typeof value === "object" ? value : undefined), ...Object.fromEntries(given) };
}
