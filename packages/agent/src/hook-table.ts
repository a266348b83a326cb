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
