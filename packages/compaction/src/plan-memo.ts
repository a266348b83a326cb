import type { AnyEntry, ContextEntry } from "@coppice/session";
import type { CompactionPreparation, PrepareCompactionInput } from "./prepare-compaction.ts";

interface Known {
  readonly input: PrepareCompactionInput;
  readonly path: readonly AnyEntry[];
  readonly entries: readonly ContextEntry[] | undefined;
  readonly plan: CompactionPreparation | undefined;
}

/** The last plan of each session, found by the root of its path; it goes when the root goes. */
const lastPlans = new WeakMap<AnyEntry, Known>();

/** The plan made last for exactly this input, in an object since a plan may be undefined; undefined when anything changed. */
export function knownPlan(
  input: PrepareCompactionInput,
): { readonly plan: CompactionPreparation | undefined } | undefined {
  const [root] = input.path;
  const known = root === undefined ? undefined : lastPlans.get(root);
  return known !== undefined && isSameInput(known, input) ? known : undefined;
}

/** Keeps a plan for the next check. The lists are copied: a host may go on appending to its own. */
export function rememberPlan(
  input: PrepareCompactionInput,
  plan: CompactionPreparation | undefined,
): CompactionPreparation | undefined {
  const [root] = input.path;
  if (root !== undefined) {
    lastPlans.set(root, { input, path: [...input.path], entries: input.entries && [...input.entries], plan });
  }
  return plan;
}

function isSameInput(known: Known, input: PrepareCompactionInput): boolean {
  const last = known.input;
  return (
    last.tokensBefore === input.tokensBefore &&
    last.contextWindow === input.contextWindow &&
    last.estimator === input.estimator &&
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
