import { type Clues, cluesOf, isNegated, isReport } from "./clues.ts";
import { once } from "./once.ts";
import { type SaidBefore, type SaidSentence, saidSentence } from "./said-before.ts";
import { tellingWords } from "./telling-words.ts";
import { isCommonKind, NUMBER_KIND } from "./value-kinds.ts";

/** Where a few words before a comma begin a sentence that goes on, or are one. */
const noChoice = once(
  () =>
    /^(?:after|before|when|if|in|on|at|once|while|because|since|also|and|yes|no|ok|okay|good|great|thanks|nice|nach|wenn|bei|ja|après|si|quand|oui|cuando|sí)\b|\b(?:is|are|was|were|has|have|ist|sind|est|sont|es|son)\b/i,
);
/** A key and its value, or a few words before a comma: how a choice is told in short. */
const short = once(
  () =>
    /^((?:[^\s,.;:!?]+ ){0,4}[^\s,.;:!?]+(?:: \S+?[.!]?$|(?=(?:,? (?:please|pls|bitte)\b.*)?[.!]?$)|(?=[,.;])))/iu,
);
const MOST_SHORT_WORDS = 3;
/** Shared words from which two sentences are about the same. */
const MANY_SHARED = 2;
/** Sentences of so few words are a choice if they name a value at all. */
const FEW_WORDS = 3;
/** The same for values that stand for nothing but a choice. */
const SOME_WORDS = 6;

/**
 * True for a sentence that speaks of what the user decided before and puts something else in its place: another value of the
 * same kind, the same thing with a "not", or an end to it. Reports of what goes wrong and orders of more work do not.
 */
export function isRestated(sentence: string, said: SaidBefore): boolean {
  if (isReport(sentence)) return false;
  const own = saidSentence(sentence);
  const clues = cluesOf(sentence);
  return said
    .near(own)
    .some(
      (earlier) => hasOtherValue(own, { earlier, said, clues }) || isSameOtherwise(own, { earlier, clues }),
    );
}

/** Few words, one of which was said before and one was not: "cursor pagination, please". */
function isShortChoice(own: SaidSentence, shared: readonly string[]): boolean {
  const [, words = ""] = short().exec(own.text) ?? [];
  const count = words.split(/\s+/).length;
  if (words === "" || noChoice().test(words) || count < 2 || count > MOST_SHORT_WORDS) return false;
  const telling = tellingWords(words);
  return telling.some((word) => shared.includes(word)) && telling.some((word) => !shared.includes(word));
}

interface Comparison {
  readonly earlier: SaidSentence;
  readonly clues: Clues;
}

/** It speaks of the same, and sets it, negates it or says that it ends. */
function isSameOtherwise(own: SaidSentence, { earlier, clues }: Comparison): boolean {
  const shared = sharedWords(own, earlier);
  if (clues.isWork || shared.length === 0) return false;
  if (clues.isTurn || isShortChoice(own, shared)) return true;
  if (shared.length < MANY_SHARED) return false;
  return clues.isSetting || clues.hasClauses || (clues.isNegated && !isNegated(earlier.text));
}

/** A value of a kind of which the earlier sentence has another one, and which the user never named. */
function hasOtherValue(
  own: SaidSentence,
  { earlier, clues, said }: Comparison & { readonly said: SaidBefore },
): boolean {
  const kinds = new Set(earlier.values.values());
  if (kinds.size === 0) return false;
  const shared = sharedWords(own, earlier);
  const words = own.text.split(/\s+/).length;
  return [...own.values].some(([value, kind]) => {
    if (!kinds.has(kind) || earlier.values.has(value) || said.byUser(value)) return false;
    const isOldNamed = [...earlier.values].some(([old, oldKind]) => oldKind === kind && own.values.has(old));
    if (isOldNamed && kind !== NUMBER_KIND) return true;
    if (clues.isWork) return false;
    if (!isCommonKind(kind)) return clues.isSetting || words <= SOME_WORDS;
    if (kind !== NUMBER_KIND && (clues.isTurn || words <= FEW_WORDS)) return true;
    const isAbout = isOldNamed || shared.length > 0;
    return (clues.isSetting && isAbout) || shared.length >= MANY_SHARED;
  });
}

function sharedWords(own: SaidSentence, earlier: SaidSentence): readonly string[] {
  return [...own.words].filter((word) => earlier.words.has(word));
}
