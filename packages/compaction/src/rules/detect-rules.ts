import { CHINESE } from "./chinese.ts";
import { ENGLISH } from "./english.ts";
import { GERMAN } from "./german.ts";
import type { RulePatterns } from "./rule-patterns.ts";
import { sentencesOf } from "./sentences.ts";

/** The languages whose rules are detected by default. */
export const RULE_PATTERNS: readonly RulePatterns[] = [ENGLISH, GERMAN, CHINESE];

/**
 * The sentences of a user's message that set a lasting rule, word for word and in order.
 *
 * Deterministic patterns: no model, no guess at meaning. Code, quoted lines, logs and questions set no rule.
 */
export function detectRules(
  text: string,
  languages: readonly RulePatterns[] = RULE_PATTERNS,
): readonly string[] {
  const rules = sentencesOf(text).filter((sentence) =>
    languages.some((language) => isRule(sentence, language)),
  );
  return [...new Set(rules)];
}

function isRule(sentence: string, language: RulePatterns): boolean {
  const { signal, lead, clause, rules, sentenceRules, exceptions } = language;
  if (signal?.test(sentence) === false) return false;
  const whole = sentence.replace(lead, "");
  if (exceptions.some((pattern) => pattern.test(whole))) return false;
  if ([...rules, ...sentenceRules].some((pattern) => pattern.test(whole))) return true;
  return whole
    .split(clause)
    .slice(1)
    .map((part) => part.replace(lead, ""))
    .some(
      (part) =>
        !exceptions.some((pattern) => pattern.test(part)) && rules.some((pattern) => pattern.test(part)),
    );
}
