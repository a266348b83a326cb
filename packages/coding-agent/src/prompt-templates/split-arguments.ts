/**
 * The arguments of a command line as words, for templates.
 *
 * Blanks and line breaks separate. Double quotes hold a word together anywhere; single quotes only where a word begins,
 * so that an apostrophe is a letter. Inside double quotes `\"` and `\\` are escapes; an unclosed quote is a letter. Empty
 * quotes are an empty word.
 */
export function splitArguments(text: string): readonly string[] {
  const words: string[] = [];
  const word = /\s*((?:"(?:[^"\\]|\\[\s\S])*"|(?<![^\s])'[^']*'(?=\s|$)|[^\s"]|")+)/gy;
  for (const match of text.matchAll(word)) {
    const raw = match[1] ?? "";
    const single = /^'([^']*)'$/.exec(raw)?.[1];
    words.push(
      single ??
        raw.replaceAll(/"((?:[^"\\]|\\[\s\S])*)"/g, (_, inner: string) =>
          inner.replaceAll(/\\(["\\])/g, "$1"),
        ),
    );
  }
  return words;
}
