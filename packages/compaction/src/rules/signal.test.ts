import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectRules } from "./detect-rules.ts";
import { ENGLISH } from "./english.ts";
import { GERMAN } from "./german.ts";
import type { RulePatterns } from "./rule-patterns.ts";

/** The words that the patterns of a language are made of. */
function wordsOf({ lead, rules, sentenceRules }: RulePatterns): readonly string[] {
  const sources = [lead, ...rules, ...sentenceRules].map(({ source }) => source.replace(/\\[a-z]/gi, " "));
  return [...new Set(sources.flatMap((source) => source.match(/[\p{L}'’-]{1,}/gu) ?? []))];
}

describe.each([
  ["English", ENGLISH],
  ["German", GERMAN],
])("%s", (_name, language) => {
  const { signal: _, ...unsignalled } = language;

  test("every rule has a word of the signal", () => {
    const sentence = fc
      .array(fc.constantFrom(...wordsOf(language)), { minLength: 1, maxLength: 8 })
      .chain((words) => fc.constantFrom(words.join(" "), `${words.join(" ")}.`, words.join(", ")));
    fc.assert(
      fc.property(sentence, (text) => {
        expect(detectRules(text, [language])).toEqual(detectRules(text, [unsignalled]));
      }),
      { numRuns: 5000 },
    );
  });

  test("what says nothing of the kind is no rule", () => {
    expect(language.signal?.test("fix the bug, then run it")).toBe(false);
  });
});
