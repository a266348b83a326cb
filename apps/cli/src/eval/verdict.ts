import type { Fact } from "./fact.ts";

/**
 * Where a fact was found after the compactions: in the next request as it is, by one recall, or nowhere.
 *
 * `bare`: a fact that was superseded is shown as if it still held, without what ended it.
 */
export type Verdict = "in-context" | "by-recall" | "lost" | "bare";

export interface FactVerdict {
  readonly fact: Fact;
  readonly verdict: Verdict;
}

/** Finds text again; undefined where the agent has no way to. */
export type Recall = (query: string) => Promise<string>;

/**
 * Asks the last request, message by message, for a fact, then the agent's recall, once.
 *
 * Of a fact that was superseded the sentence that ended it must be found. Where the old words are shown, by the request
 * or by the recall, it must stand in the same message or in a later one: else the old value reads as the present one.
 */
export async function judge(
  fact: Fact,
  options: {
    readonly view: readonly string[];
    readonly facts: readonly Fact[];
    readonly recall?: Recall | undefined;
  },
): Promise<FactVerdict> {
  const { view, facts, recall } = options;
  const end = facts.find(({ id }) => id === fact.supersededBy)?.text;
  const wanted = end ?? fact.text;
  const isBareIn = (messages: readonly string[]) => end !== undefined && isBare(messages, fact.text, end);
  if (isBareIn(view)) return { fact, verdict: "bare" };
  if (view.some((text) => text.includes(wanted))) return { fact, verdict: "in-context" };
  const recalled = (await recall?.(fact.question)) ?? "";
  if (isBareIn([recalled])) return { fact, verdict: "bare" };
  return { fact, verdict: recalled.includes(wanted) ? "by-recall" : "lost" };
}

/** Whether the newest message with the old words has their end neither in it nor behind it. */
function isBare(messages: readonly string[], old: string, end: string): boolean {
  const last = messages.findLastIndex((text) => text.replaceAll(end, "").includes(old));
  return last !== -1 && !messages.slice(last).some((text) => text.includes(end));
}
