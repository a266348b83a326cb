import type { HookHandler, HookInput, HookResult, HookRow, HookTable } from "./hook-table.ts";

/** A handler that threw. */
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
  /** How long an observer may take before it is reported and no longer waited for; absent = as long as it wants. */
  readonly observerTimeoutMs?: number;
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
  readonly #options: HookRunnerOptions;
  readonly #handlers = new Map<string, readonly Registered[]>();

  constructor(table: Table, options: HookRunnerOptions) {
    this.table = table;
    this.#options = options;
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
      const answer = entry.handler(input, signal);
      const limitMs = row.policy === "observe" ? this.#options.observerTimeoutMs : undefined;
      return (await (limitMs === undefined ? answer : within(limitMs, answer))) ?? undefined;
    } catch (error) {
      const failure: HookFailure = { hook: name, owner: entry.owner, error };
      if (row.guard) throw new HookBlockedError(failure);
      this.#options.onFailure(failure);
      return undefined;
    }
  }
}

/** The answer, or an error when it takes longer. */
async function within(limitMs: number, answer: unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `value` with the fields that the answer gives; fields given as `undefined` are left alone, and an answer without fields
 * changes nothing.
 */
function merged(value: unknown, answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return value;
  const given = Object.entries(answer).filter(([, field]) => field !== undefined);
  return { ...(typeof value === "object" ? value : undefined), ...Object.fromEntries(given) };
}
