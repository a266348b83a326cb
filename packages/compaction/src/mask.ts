import type { AgentMessage } from "@coppice/agent";
import { type ToolResultMessage, textOf, toolCallsOf } from "@coppice/ai";
import { type ContextEntry, isEntry } from "@coppice/session";
import { headOf, tailOf } from "./clip-text.ts";
import { estimateTokens } from "./estimate.ts";
import type { TokenEstimator } from "./estimate-text.ts";
import { wayToWhole } from "./recall-handles.ts";
import type { Shortening } from "./shorten-kept.ts";
import { joinSections } from "./summary-sections.ts";

export interface PlanMaskingInput {
  /** The projection, oldest first. */
  readonly entries: readonly ContextEntry[];
  /** Size of the next request and the size above which compaction starts. */
  readonly contextTokens: number;
  readonly triggerTokens: number;
  /** The newest history, which is never masked. */
  readonly keepRecentTokens: number;
  readonly estimator?: TokenEstimator;
  /** True: a masked result names its entry for the `recall` tool. */
  readonly isRecallActive?: boolean;
}

/** A masking must free this share of the trigger at once: each one costs the cached rest of the prompt. */
const LEAST_SAVING_SHARE = 0.25;
/** And leave the context this far below the trigger, so that it is not repeated soon. */
const LARGEST_REST_SHARE = 0.8;
/** Smaller results are not worth an edit. */
const LEAST_RESULT_TOKENS = 300;
const HEAD_CHARS = 400;
const TAIL_CHARS = 300;
const MOST_ERROR_LINES = 4;
const ERROR_LINE_CHARS = 160;
const MASK_NOTE = "[Masked to free context:";

/**
 * Old tool results to be shown shorter, so that no summary is needed yet; empty where that would not free enough.
 *
 * Results superseded by a later read or write of the same file and results repeated later become one line; other long
 * ones keep their head, tail and error lines. Results in the newest `keepRecentTokens` stay whole.
 */
export function planMasking(input: PlanMaskingInput): readonly Shortening[] {
  const { contextTokens, triggerTokens } = input;
  const candidates = maskCandidates(input);
  const saved = candidates.reduce((sum, { saving }) => sum + saving, 0);
  const frees = saved >= triggerTokens * LEAST_SAVING_SHARE;
  return frees && contextTokens - saved <= triggerTokens * LARGEST_REST_SHARE
    ? candidates.map(({ shortening }) => shortening)
    : [];
}

/** Whether this is what a masking left of a result. */
export function isMasked(content: ToolResultMessage["content"] | string): boolean {
  return textOf(content).includes(MASK_NOTE);
}

/** A text in place of an old message, which says that it is a mask: the model is told, and undoing knows it by that. */
export function withMaskNote(text: string, note: string): string {
  return isMasked(text) ? text : joinSections(text, `${MASK_NOTE} ${note}]`);
}

/** A result that could be shown shorter. */
export interface MaskCandidate {
  /** Place of its entry in the projection. */
  readonly index: number;
  readonly shortening: Shortening;
  /** Tokens that it frees. */
  readonly saving: number;
}

/** Every result before the newest history that is long enough and not masked yet, oldest first. */
export function maskCandidates(
  input: Pick<PlanMaskingInput, "entries" | "keepRecentTokens" | "estimator" | "isRecallActive">,
): readonly MaskCandidate[] {
  const { entries, estimator, isRecallActive } = input;
  const obsolete = obsoleteResults(entries);
  return maskableResults(input).flatMap(({ index, entry, result, tokens }) => {
    const text = maskedText(result, obsolete.get(entry.id), wayToWhole(entry.id, isRecallActive));
    const saving = tokens - estimateTokens({ ...result, content: [{ type: "text", text }] }, estimator);
    return saving <= 0 ? [] : [{ index, shortening: { targetId: entry.id, text }, saving }];
  });
}

/** More than all maskable results could free, without looking at their texts. */
export function mostMaskableTokens(input: Parameters<typeof maskCandidates>[0]): number {
  return maskableResults(input).reduce((sum, { tokens }) => sum + tokens, 0);
}

function maskableResults(input: Pick<PlanMaskingInput, "entries" | "keepRecentTokens" | "estimator">) {
  return input.entries.slice(0, firstRecent(input)).flatMap(({ entry, messages }, index) => {
    const result = messages[0];
    if (messages.length !== 1 || result?.role !== "toolResult") return [];
    const tokens = estimateTokens(result, input.estimator);
    // One that an edit has replaced is masked already, or somebody wants it as it is.
    const isEdited = isEntry(entry, "message") && entry.message !== result;
    const isMaskable = tokens >= LEAST_RESULT_TOKENS && !isEdited && !isMasked(result.content);
    return isMaskable ? [{ index, entry, result, tokens }] : [];
  });
}

function firstRecent({
  entries,
  keepRecentTokens,
  estimator,
}: Pick<PlanMaskingInput, "entries" | "keepRecentTokens" | "estimator">): number {
  let tokens = 0;
  for (let index = entries.length - 1; index >= 0; index--) {
    for (const message of entries[index]?.messages ?? []) tokens += estimateTokens(message, estimator);
    if (tokens > keepRecentTokens) return index;
  }
  return 0;
}

function maskedText({ content }: ToolResultMessage, reason: string | undefined, way: string): string {
  if (reason !== undefined) return `${MASK_NOTE} ${reason}. The session file keeps the whole result.]`;
  const whole = textOf(content);
  const images = imagesOf(content).length;
  const chars = Math.max(0, whole.length - HEAD_CHARS - TAIL_CHARS);
  const missing = [
    ...(chars > 0 ? [`${chars} characters`] : []),
    ...(images > 0 ? [`${images} ${images === 1 ? "image" : "images"}`] : []),
  ];
  const cut = `${MASK_NOTE} ${missing.join(" and ")} of an old result not shown. ${way}]`;
  if (chars === 0) return joinSections(whole, cut);
  const errors = errorLines(whole.slice(HEAD_CHARS, -TAIL_CHARS));
  return [headOf(whole, HEAD_CHARS), cut, ...errors, tailOf(whole, TAIL_CHARS)].join("\n");
}

function errorLines(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => /\b(error|failed|failure|exception|panic)\b/i.test(line))
    .slice(-MOST_ERROR_LINES)
    .map((line) => headOf(line, ERROR_LINE_CHARS));
}

/** The data of the images in a result. */
function imagesOf(content: ToolResultMessage["content"]): readonly string[] {
  return typeof content === "string"
    ? []
    : content.flatMap((block) => (block.type === "image" ? [block.data] : []));
}

/** Entry id → why its result no longer matters. */
function obsoleteResults(entries: readonly ContextEntry[]): ReadonlyMap<string, string> {
  const paths = callPaths(entries);
  const seen = new Set<string>();
  const touchedLater = new Set<string>();
  const obsolete = new Map<string, string>();
  for (const { entry, messages } of entries.toReversed()) {
    const result = messages[0];
    if (result?.role !== "toolResult") continue;
    const path = paths.get(result.toolCallId);
    const said = textOf(result.content) + imagesOf(result.content).join("\n");
    if (seen.has(said)) obsolete.set(entry.id, "the same result stands further down");
    else if (path !== undefined && result.toolName === "read" && touchedLater.has(path)) {
      obsolete.set(entry.id, `${path} was read or changed again later`);
    }
    seen.add(said);
    if (path !== undefined && !result.isError) touchedLater.add(path);
  }
  return obsolete;
}

/** Call id → the file that the call is about, whole files only: a part says nothing of another part. */
function callPaths(entries: readonly ContextEntry[]): ReadonlyMap<string, string> {
  const calls = entries.flatMap(({ messages }) => messages.flatMap(callsOf));
  return new Map(
    calls.flatMap((call) => {
      const { path, offset, limit } = call.arguments;
      return typeof path === "string" && offset === undefined && limit === undefined ? [[call.id, path]] : [];
    }),
  );
}

function callsOf(message: AgentMessage) {
  return message.role === "assistant" ? toolCallsOf(message) : [];
}
