import { type AssistantMessage, type ToolResultMessage, toolCallsOf } from "@coppice/ai";
import type { AnyEntry, ContextEntry } from "@coppice/session";
import type { CompactionResult } from "./compact.ts";
import { CompactionError } from "./errors.ts";
import { estimateTokens } from "./estimate.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";
import { withMaskNote } from "./mask.ts";
import { wayToWhole } from "./recall-handles.ts";
import type { Shortening } from "./shorten-kept.ts";

/** What an outcome is checked against. */
export interface OutcomeCheck {
  readonly path: readonly AnyEntry[];
  /** The projection of `path`. */
  readonly entries: readonly ContextEntry[];
  readonly estimator?: TokenEstimator | undefined;
  readonly isRecallActive?: boolean | undefined;
  /** Who made it, for the message. */
  readonly source: string;
}

/** Throws `invalid_result` unless the summary says something and the boundary lies on the path. `""` keeps nothing. */
export function checkCompactionResult(
  result: Pick<CompactionResult, "summary" | "firstKeptEntryId">,
  path: readonly AnyEntry[],
  source: string,
): void {
  const { summary, firstKeptEntryId } = result;
  if (typeof summary !== "string" || summary.trim() === "") {
    throw refusal(`The compaction of "${source}" is refused: its summary is empty.`, source);
  }
  if (firstKeptEntryId === "" || path.some(({ id }) => id === firstKeptEntryId)) return;
  throw refusal(
    `The compaction of "${source}" is refused: its boundary "${firstKeptEntryId}" is no entry of this branch.`,
    source,
    { firstKeptEntryId },
  );
}

/**
 * Throws `invalid_result` unless every shortening is of a tool result, or of an answer that calls no tool, that the model
 * sees; each once, with a text.
 *
 * What a person said is never replaced, and no result loses its call.
 */
export function checkShortenings(shortenings: readonly Shortening[], check: OutcomeCheck): void {
  const { path, entries, source } = check;
  const refuse = (problem: string) => refusal(`The masking of "${source}" is refused: ${problem}.`, source);
  if (!Array.isArray(shortenings)) throw refuse("it names no results");
  const onPath = new Set(path.map(({ id }) => id));
  const known = shortenableMessages(entries);
  const seen = new Set<string>();
  for (const { targetId, text } of shortenings) {
    if (!onPath.has(targetId)) throw refuse(`"${targetId}" is no entry of this branch`);
    if (!known.has(targetId))
      throw refuse(`"${targetId}" is no tool result or plain answer that the model sees`);
    if (seen.has(targetId)) throw refuse(`"${targetId}" is shortened twice`);
    if (typeof text !== "string") throw refuse(`it has no text for "${targetId}"`);
    seen.add(targetId);
  }
}

/** Shortenings that are all there is, checked as above and worded as masks. Throws as well where they free nothing. */
export function checkedMasking(
  shortenings: readonly Shortening[],
  check: OutcomeCheck,
): readonly Shortening[] {
  const { entries, estimator, isRecallActive, source } = check;
  checkShortenings(shortenings, check);
  const known = shortenableMessages(entries);
  const masks = shortenings.map(({ targetId, text }) => {
    const isResult = known.get(targetId)?.role === "toolResult";
    const way = isResult || isRecallActive ? ` ${wayToWhole(targetId, isRecallActive)}` : "";
    const note = `an old ${isResult ? "result" : "answer"} not shown whole.${way}`;
    return { targetId, text: withMaskNote(text, note) };
  });
  if (tokensFreedBy(masks, entries, estimator) > 0) return masks;
  const problem = masks.length === 0 ? "it shortens nothing" : "it frees nothing";
  throw refusal(`The masking of "${source}" is refused: ${problem}.`, source);
}

/** Estimated tokens that shortenings free; less than 0 where the texts are longer than what they replace. */
export function tokensFreedBy(
  shortenings: readonly Shortening[],
  entries: readonly ContextEntry[],
  estimator: TokenEstimator = scriptEstimator,
): number {
  const known = shortenableMessages(entries);
  return shortenings.reduce((sum, { targetId, text }) => {
    const message = known.get(targetId);
    return message === undefined
      ? sum
      : sum + estimateTokens(message, estimator) - estimator.estimateText(text);
  }, 0);
}

/** Entry id → the message that alone it shows the model, where that may be shown shorter. */
function shortenableMessages(
  entries: readonly ContextEntry[],
): ReadonlyMap<string, ToolResultMessage | AssistantMessage> {
  const known = new Map<string, ToolResultMessage | AssistantMessage>();
  for (const { entry, messages } of entries) {
    const [message] = messages;
    if (message === undefined || messages.length > 1) continue;
    const isPlainAnswer = message.role === "assistant" && toolCallsOf(message).length === 0;
    if (message.role === "toolResult" || isPlainAnswer) known.set(entry.id, message);
  }
  return known;
}

function refusal(message: string, source: string, data: Readonly<Record<string, unknown>> = {}) {
  return new CompactionError({ code: "invalid_result", message, data: { source, ...data } });
}
