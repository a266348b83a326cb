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
  /** Carries the types; never set. */
  readonly types?: (input: Input) => Output;
}

/** A hook that takes `Input` and whose handlers answer `Output` (or nothing). */
export function hook<Input, Output, Policy extends HookPolicy = HookPolicy>(
  policy: Policy,
  options: { readonly guard?: boolean } = {},
): HookRow<Input, Output, Policy> {
  return { policy, guard: options.guard ?? false };
}

export type HookTable = Readonly<Record<string, HookRow<never, unknown>>>;

/** Declares a table of hooks; layers above extend it by spreading. */
export function defineHooks<Table extends Readonly<Record<string, HookRow<never, unknown>>>>(
  table: Table,
): Table {
  return table;
}

// biome-ignore lint/suspicious/noExplicitAny: inference of both type parameters of a row.
type TypesOf<Row> = Row extends HookRow<infer Input, infer Output, any> ? [Input, Output] : never;

export type HookInput<Table, Name extends keyof Table> = TypesOf<Table[Name]>[0];
export type HookOutput<Table, Name extends keyof Table> = TypesOf<Table[Name]>[1];

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
