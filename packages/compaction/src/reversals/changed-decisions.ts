import type { AgentMessage } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import type { TokenEstimator } from "../estimate-text.ts";
import { codeBlock, codeBlockOf } from "../summary-sections.ts";
import { detectReversals } from "./detect-reversals.ts";
import { SaidBefore } from "./said-before.ts";

const HINT = "The user's own words, oldest first. What they end no longer holds, wherever else it is stated:";
const BULLET = "- ";
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_-]{2,}/gu;

/** What stands before the messages that a summary replaces. */
export interface EarlierTalk {
  /** The reversals that the earlier summary lists. */
  readonly reversals?: readonly string[];
  /** The earlier summary: decisions in it can be taken back as well. */
  readonly summary?: string | undefined;
}

/**
 * What the user took back in the messages that a summary replaces, and in those that earlier summaries stand for, oldest
 * first. A model that keeps a decision may drop its end; then only this tells the two apart.
 */
export function reversalsIn(
  messages: readonly AgentMessage[],
  { reversals = [], summary = "" }: EarlierTalk = {},
): readonly string[] {
  const said = new SaidBefore();
  said.addUser(summary);
  const found = messages.flatMap((message) => foundIn(message, said));
  // Said again, it counts as said now.
  return [...new Set([...reversals, ...found].toReversed())].toReversed();
}

/** Remembers the message for those behind it. */
function foundIn(message: AgentMessage, said: SaidBefore): readonly string[] {
  switch (message.role) {
    case "user": {
      const text = textOf(message.content);
      const found = detectReversals(text, said);
      said.addUser(text);
      return found;
    }
    case "assistant":
      said.addModel(textOf(message.content));
      return [];
    case "branchSummary":
    case "compactionSummary":
      said.addUser(message.summary);
      return carriedReversals(message.summary);
    default:
      return [];
  }
}

/** The reversals that a summary lists. */
export function carriedReversals(summary: string): readonly string[] {
  const lines = (codeBlockOf(summary, "changed-decisions") ?? "").split("\n");
  return lines.flatMap((line) => (line.startsWith(BULLET) ? [line.slice(BULLET.length)] : []));
}

/**
 * The block of a summary that quotes reversals, in about `maxTokens`; empty without any.
 *
 * Where there is no room for all, those with most words in common with `text`, the summary, come first: what nothing
 * speaks of any more needs no end.
 */
export function changedDecisionsBlock(
  reversals: readonly string[],
  options: { readonly text: string; readonly maxTokens: number; readonly estimator: TokenEstimator },
): string {
  const { maxTokens, estimator } = options;
  const blockOf = (lines: readonly string[]) =>
    codeBlock("changed-decisions", [HINT, ...lines.map((line) => `${BULLET}${line}`)].join("\n"));
  if (reversals.length === 0) return "";
  if (estimator.estimateText(blockOf(reversals)) <= maxTokens) return blockOf(reversals);
  const kept = new Set<string>();
  let room = maxTokens - estimator.estimateText(blockOf([]));
  for (const line of byRelevance(reversals, options.text)) {
    const tokens = estimator.estimateText(`${BULLET}${line}\n`);
    if (tokens > room) continue;
    room -= tokens;
    kept.add(line);
  }
  return kept.size === 0 ? "" : blockOf(reversals.filter((line) => kept.has(line)));
}

/** Most words in common first; of the same, the newest. */
function byRelevance(reversals: readonly string[], text: string): readonly string[] {
  const words = new Set(text.toLowerCase().match(WORD));
  const shared = (line: string) =>
    new Set((line.toLowerCase().match(WORD) ?? []).filter((word) => words.has(word))).size;
  return reversals
    .toReversed()
    .map((line) => ({ line, count: shared(line) }))
    .sort((a, b) => b.count - a.count)
    .map(({ line }) => line);
}
