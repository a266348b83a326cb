import { sentencesOf } from "../rules/sentences.ts";
import {
  CHINESE_REVERSALS,
  ENGLISH_REVERSALS,
  GERMAN_REVERSALS,
  type ReversalPatterns,
} from "./reversal-patterns.ts";

const LANGUAGES: readonly ReversalPatterns[] = [ENGLISH_REVERSALS, GERMAN_REVERSALS, CHINESE_REVERSALS];

/**
 * The sentences of a user's message that take back what was said before, word for word and in order.
 *
 * One that only announces it ("change of plan") comes with the sentence behind it. Deterministic patterns, as for rules:
 * code, quoted lines, logs and questions take nothing back.
 */
export function detectReversals(text: string): readonly string[] {
  const sentences = sentencesOf(text);
  const found: string[] = [];
  for (let index = 0; index < sentences.length; index++) {
    const sentence = sentences[index] ?? "";
    const kind = kindOf(sentence);
    if (kind === "replacement") found.push(sentence);
    if (kind === "announcement") found.push([sentence, sentences[++index] ?? ""].join(" ").trim());
  }
  return [...new Set(found)];
}

function kindOf(sentence: string): "replacement" | "announcement" | undefined {
  const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(sentence));
  const own = LANGUAGES.filter(({ exceptions }) => !matches(exceptions));
  if (own.some(({ replacements }) => matches(replacements))) return "replacement";
  return own.some(({ announcements }) => matches(announcements)) ? "announcement" : undefined;
}
