import type { Fact } from "./fact.ts";

/** Where a fact was found after the compactions: in the next request as it is, by one recall, or nowhere. */
export type Verdict = "in-context" | "by-recall" | "lost";

export interface FactVerdict {
  readonly fact: Fact;
  readonly verdict: Verdict;
}

/** Finds text again; undefined where the agent has no way to. */
export type Recall = (query: string) => Promise<string>;

/**
 * Asks the context of the last request for a fact, then the agent's recall, once.
 *
 * A fact that was superseded counts as kept where the sentence that ended it is found: an old value on its own would
 * be taken for the present one.
 */
export async function judge(
  fact: Fact,
  options: { readonly view: string; readonly facts: readonly Fact[]; readonly recall?: Recall | undefined },
): Promise<FactVerdict> {
  const wanted = options.facts.find(({ id }) => id === fact.supersededBy)?.text ?? fact.text;
  if (options.view.includes(wanted)) return { fact, verdict: "in-context" };
  const recalled = await options.recall?.(fact.question);
  return { fact, verdict: recalled?.includes(wanted) ? "by-recall" : "lost" };
}
