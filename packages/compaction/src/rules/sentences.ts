/** Shorter is no rule; longer is a task with a rule in it, which a pin would blow up. */
const LEAST_CHARS = 4;
const MOST_CHARS = 300;

const FENCED_CODE = /^(```|~~~)[\s\S]*?(^\1|(?![\s\S]))/gm;
/** Quoted mail, stack frames, log lines and code comments: words of a machine or of someone else. */
const FOREIGN_LINE =
  /^\s*(>|at \S+ \(|\d{4}-\d\d-\d\d[T ]|\[?(ERROR|WARN|INFO|DEBUG)\b|\/\/|\/\*|\w*(Error|Exception): )/;
/** After a full stop that ends a sentence: not the one inside `2.x` or `a.md`. */
const SENTENCE_END = /(?<=[.!?]["”')]?)\s+|(?<=[。！？；])/;
const BULLET = /^\s*(?:[-*+•]|\d+[.)])\s+/;

/** The sentences of what a person wrote, in order: without code, quoted lines, log lines and bullets. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(FENCED_CODE, "")
    .split("\n")
    .filter((line) => !FOREIGN_LINE.test(line))
    .flatMap((line) => line.replace(BULLET, "").split(SENTENCE_END))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= LEAST_CHARS && sentence.length <= MOST_CHARS);
}
