import { MAX_COLOURED_CHARACTERS } from "../highlight/highlighter.ts";

/** As the markdown parser reads it: backticks are no fence when more of them follow on the line. */
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** The beginning of a code block in markdown, and how much code has come since. */
export class CodeFence {
  readonly mark: string;
  readonly #isAtMargin: boolean;
  readonly #minCharacters: number;
  #characters = 0;

  private constructor(indent: string, mark: string, language: string) {
    this.mark = mark;
    this.#isAtMargin = indent === "";
    this.#minCharacters = language === "" ? 0 : MAX_COLOURED_CHARACTERS;
  }

  /** The fence that a line outside of code is; undefined when it is none. */
  static of(line: string): CodeFence | undefined {
    const [, indent, mark, language] = FENCE.exec(line) ?? [];
    if (indent === undefined || mark === undefined || language === undefined) return undefined;
    return new CodeFence(indent, mark, language.trim());
  }

  /** Whether the code reads the same in two blocks as in one: what follows is plain in any case. */
  get canBeCut(): boolean {
    return this.#isAtMargin && this.#characters > this.#minCharacters;
  }

  isClosedBy(line: string): boolean {
    const text = line.replace(/^ {0,3}/, "");
    return text.startsWith(this.mark) && /^[`~]* *$/.test(text.slice(this.mark.length));
  }

  /** Whether the block may have been in a list, which the line ends: then it is no code. */
  mayBeLeftBy(line: string): boolean {
    return !this.#isAtMargin && /^\S/.test(line);
  }

  /** A line of the code. */
  add(line: string): void {
    this.#characters += line.length + 1;
  }
}
