/** Shorter is no rule; longer is a task with a rule in it, which a pin would blow up. */
const LEAST_CHARS = 4;
const MOST_CHARS = 300;

/** Characters read at either end of a long text. */
const READ_CHARS = 20_000;

const FENCED_CODE = /^(```|~~~)[\s\S]*?(^\1|(?![\s\S]))/gm;
/** Quoted mail, stack frames, log lines and code comments: words of a machine or of someone else. */
const FOREIGN_LINE =
  /^\s*(>|at \S+ \(|\d{4}-\d\d-\d\d[T ]|\[?(ERROR|WARN|INFO|DEBUG)\b|\/\/|\/\*|\w*(Error|Exception): )/;
/** After a full stop that ends a sentence: not the one inside `2.x` or `a.md`. */
const SENTENCE_END = /(?<=[.!?]["”')]?)\s+|(?<=[。！？；])/;
const BULLET = /^\s*(?:[-*+•]|\d+[.)])\s+/;

/**
 * The sentences of what a person wrote, in order: without code, quoted lines, log lines and bullets.
 *
 * Of a very long text, which is a paste, only the beginning and the end are read: there a person's own words stand.
 */
export function sentencesOf(text: string): readonly string[] {
  return endsOf(text)
    .replace(FENCED_CODE, "")
    .split("\n")
    .filter((line) => !FOREIGN_LINE.test(line))
    .flatMap((line) => line.replace(BULLET, "").split(SENTENCE_END))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= LEAST_CHARS && sentence.length <= MOST_CHARS);
}

function endsOf(text: string): string {
  if (text.length <= 2 * READ_CHARS) return text;
  const head = text.slice(0, READ_CHARS);
  const tail = text.slice(-READ_CHARS);
  return `${head.slice(0, head.lastIndexOf("\n") + 1)}${tail.slice(tail.indexOf("\n"))}`;
}
