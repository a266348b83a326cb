/**
 * What the code highlighter uses of highlight.js 11.12. Its own types bring the browser's into every file of the
 * program, where they hide Node's (`ReadableStream.from`).
 */
interface Highlighter {
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): {
    readonly value: string;
  };
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, language: Language): void;
  registerAliases(aliases: string | readonly string[], options: { readonly languageName: string }): void;
  newInstance(): Highlighter;
}

type Language = (highlighter: Highlighter) => object;

declare const highlighter: Highlighter;
export default highlighter;
export type { Highlighter, Language };
