import { sentencesOf } from "../rules/sentences.ts";
import { isReport } from "./clues.ts";
import { once } from "./once.ts";
import { chineseReversals } from "./patterns/chinese.ts";
import { englishReversals } from "./patterns/english.ts";
import { frenchReversals } from "./patterns/french.ts";
import { germanReversals } from "./patterns/german.ts";
import { japaneseReversals } from "./patterns/japanese.ts";
import type { ReversalPatterns } from "./patterns/reversal-patterns.ts";
import { spanishReversals } from "./patterns/spanish.ts";
import { isRestated } from "./restated.ts";
import type { SaidBefore } from "./said-before.ts";

const languages = once((): readonly ReversalPatterns[] => [
  englishReversals(),
  germanReversals(),
  frenchReversals(),
  spanishReversals(),
  chineseReversals(),
  japaneseReversals(),
]);

/**
 * The sentences of a user's message that take back what was said before, word for word and in order.
 *
 * One that only announces it ("change of plan") comes with the sentence behind it. Deterministic patterns, as for rules:
 * code, quoted lines, logs and most questions take nothing back. `said` is the conversation before the message: "drop redis"
 * counts where redis was spoken of. Without it what sets two things against each other ("X instead of Y") always counts.
 */
export function detectReversals(text: string, said?: SaidBefore): readonly string[] {
  const sentences = sentencesOf(text);
  const found: string[] = [];
  for (let index = 0; index < sentences.length; index++) {
    const sentence = sentences[index] ?? "";
    const kind = kindOf(sentence, said);
    if (kind === "replacement") found.push(sentence);
    if (kind === "announcement") found.push([sentence, sentences[++index] ?? ""].join(" ").trim());
  }
  return [...new Set(found)];
}

function kindOf(sentence: string, said: SaidBefore | undefined): "replacement" | "announcement" | undefined {
  const matches = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(sentence));
  if (languages().some(({ requests = [] }) => matches(requests))) return "replacement";
  const own = languages().filter(({ exceptions }) => !matches(exceptions));
  const names = (patterns: readonly RegExp[], isKnown: (part: string) => boolean) =>
    patterns.some((pattern) => oldPartsOf(pattern, sentence).some(isKnown));
  const isReplacement = own.some(
    ({ replacements, contrasts, endings }) =>
      matches(replacements) ||
      (!isReport(sentence) &&
        (names(contrasts, (part) => said?.byAnyone(part) ?? true) ||
          names(endings, (part) => said?.byUser(part) ?? false))),
  );
  if (isReplacement) return "replacement";
  if (own.length === languages().length && said !== undefined && isRestated(sentence, said))
    return "replacement";
  return own.some(({ announcements }) => matches(announcements)) ? "announcement" : undefined;
}

/** Making a pattern ready takes longer than using it. */
const globalForms = new WeakMap<RegExp, RegExp>();

/** What a sentence says to hold no more: all the groups of a pattern that took part, at every place. */
function oldPartsOf(pattern: RegExp, sentence: string): readonly string[] {
  if (!pattern.test(sentence)) return [];
  const everywhere = globalForms.get(pattern) ?? new RegExp(pattern, `g${pattern.flags}`);
  globalForms.set(pattern, everywhere);
  return [...sentence.matchAll(everywhere)].flatMap(({ groups = {} }) =>
    Object.values(groups).filter((part) => part !== undefined),
  );
}
