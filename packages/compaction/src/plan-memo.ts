import type { ToolSpec } from "@coppice/ai";
import type { AnyEntry, ContextEntry } from "@coppice/session";
import type { TokenEstimator } from "./estimate-text.ts";
import type { CompactionSettings } from "./settings.ts";

/** All that a plan is made from: two inputs that are the same in these have the same plan. */
export interface PlanInput {
  readonly path: readonly AnyEntry[];
  readonly entries?: readonly ContextEntry[];
  readonly contextWindow: number;
  readonly settings: CompactionSettings;
  readonly tokensBefore: number;
  readonly systemPrompt?: string;
  readonly tools?: readonly ToolSpec[];
  readonly sessionName?: string;
  readonly isRecallActive?: boolean;
  readonly estimator?: TokenEstimator;
  readonly firstKeptEntryId?: string;
}

interface Known<Input extends PlanInput, Plan> {
  readonly input: Input;
  readonly path: readonly AnyEntry[];
  readonly entries: readonly ContextEntry[] | undefined;
  readonly plan: Plan;
}

/**
 * A planner that gives the last plan of a session again while its input is the same.
 *
 * A session is known by the root of its path; its plan goes when the root goes. Lists are copied, since a host may go
 * on appending to its own.
 */
export function rememberingLast<Input extends PlanInput, Plan>(
  plan: (input: Input) => Plan,
): (input: Input) => Plan {
  const lastPlans = new WeakMap<AnyEntry, Known<Input, Plan>>();
  return (input) => {
    const [root] = input.path;
    if (root === undefined) return plan(input);
    const known = lastPlans.get(root);
    if (known !== undefined && isSameInput(known, input)) return known.plan;
    const made = plan(input);
    const entries = input.entries === undefined ? undefined : [...input.entries];
    lastPlans.set(root, { input, path: [...input.path], entries, plan: made });
    return made;
  };
}

function isSameInput(known: Known<PlanInput, unknown>, input: PlanInput): boolean {
  const last = known.input;
  return (
    last.tokensBefore === input.tokensBefore &&
    last.contextWindow === input.contextWindow &&
    last.estimator === input.estimator &&
    last.firstKeptEntryId === input.firstKeptEntryId &&
    last.sessionName === input.sessionName &&
    last.isRecallActive === input.isRecallActive &&
    last.systemPrompt === input.systemPrompt &&
    areSame(last.tools, input.tools) &&
    areSame(known.path, input.path) &&
    areSame(known.entries, input.entries, isSameContextEntry) &&
    (last.settings === input.settings || JSON.stringify(last.settings) === JSON.stringify(input.settings))
  );
}

function isSameContextEntry(a: ContextEntry, b: ContextEntry): boolean {
  return a === b || (a.entry === b.entry && areSame(a.messages, b.messages));
}

/** Whether two lists hold the same objects. Entries and messages are never changed in place. */
function areSame<Item>(
  a: readonly Item[] | undefined,
  b: readonly Item[] | undefined,
  isSame: (a: Item, b: Item) => boolean = Object.is,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let index = a.length - 1; index >= 0; index--) {
    if (!isSame(a[index] as Item, b[index] as Item)) return false;
  }
  return true;
}
