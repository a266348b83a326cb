import { estimateTextTokens } from "../estimate-text.ts";
import type { Pin } from "../pins.ts";
import { detectRules, RULE_PATTERNS } from "./detect-rules.ts";
import type { RulePatterns } from "./rule-patterns.ts";

export interface DetectPinsInput {
  /** The entry of the user's message: ids of pins are made from it, so that detecting twice pins once. */
  readonly entryId: string;
  readonly text: string;
  /** The pins in force, from `activePins`. */
  readonly known: readonly Pin[];
  readonly contextWindow: number;
  readonly languages?: readonly RulePatterns[];
}

/** Share of the window that detected pins may take together; what a person pins is not limited. */
const DETECTED_SHARE = 0.01;

/**
 * Pins for the rules that a user's message states, without those that are pinned already, in order.
 *
 * The host stores each as a `coppice.pin` entry and shows it. Rules for which there is no room are not pinned.
 */
export function detectPins(input: DetectPinsInput): readonly Pin[] {
  const { entryId, text, known, contextWindow, languages = RULE_PATTERNS } = input;
  const pinned = new Set(known.map((pin) => sameness(pin.text)));
  let room = contextWindow * DETECTED_SHARE;
  for (const pin of known) if (pin.source === "detected") room -= estimateTextTokens(pin.text);
  const pins: Pin[] = [];
  for (const [index, rule] of detectRules(text, languages).entries()) {
    const tokens = estimateTextTokens(rule);
    if (pinned.has(sameness(rule)) || tokens > room) continue;
    room -= tokens;
    pinned.add(sameness(rule));
    pins.push({ id: `${entryId}-${index}`, text: rule, source: "detected" });
  }
  return pins;
}

function sameness(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s.!。！]+/g, " ")
    .trim();
}
