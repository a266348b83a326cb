/** Writing systems that name a language well enough; kana before Han, since Japanese has both. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["ja", /[\u3040-\u30ff]/g],
  ["zh", /[\u3400-\u9fff]/g],
  ["ko", /[\uac00-\ud7af]/g],
  ["ru", /[\u0400-\u04ff]/g],
  ["ar", /[\u0600-\u06ff]/g],
  ["el", /[\u0370-\u03ff]/g],
];

/** Small words that hardly any other language has. */
const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set("the and of to is that with for this was are it be on not have from".split(" ")),
  de: new Set("der die das und nicht ist ein eine mit auf für den dem wird sich auch im zu".split(" ")),
  fr: new Set("le les des et est une dans pour pas avec sur du qui que au sont cette".split(" ")),
  es: new Set("el los las y es una para con del por que se al está como más".split(" ")),
  it: new Set("il gli della di che per non con una sono del nel alla è più".split(" ")),
  pt: new Set("o os das dos e uma para com não do da em que ao mais foi".split(" ")),
  nl: new Set("het een en van niet met voor op zijn aan dat te wordt ook".split(" ")),
};

const SCRIPT_SHARE = 0.3;
const LEAST_SMALL_WORDS = 6;
/** The winner must have this many times the small words of the next. */
const CLEAR_LEAD = 1.8;

/** The language of a text by its script or its small words, as an ISO 639-1 code; undefined where that is not clear. */
export function languageOf(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of SCRIPTS) {
    const least = language === "ja" ? SCRIPT_SHARE / 3 : SCRIPT_SHARE;
    if (letters > 0 && (text.match(script)?.length ?? 0) / letters >= least) return language;
  }
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(SMALL_WORDS)
    .map(([language, small]) => ({ language, count: words.filter((word) => small.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  if (first === undefined || first.count < LEAST_SMALL_WORDS) return undefined;
  return first.count >= (second?.count ?? 0) * CLEAR_LEAD ? first.language : undefined;
}
