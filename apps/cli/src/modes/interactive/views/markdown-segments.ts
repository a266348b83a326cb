import { CodeFence } from "./code-fence.ts";
import { MarginList } from "./margin-list.ts";

/** A shorter segment is not worth a view of its own. */
const MIN_CHARACTERS = 500;

/**
 * Lines that begin a block of their own after a blank line, whatever came before: a heading, a table or plain text at
 * the margin. List items, quotes and the like may belong to what is above the blank line.
 */
const BEGINS_BLOCK = /^(?:#{1,6} |[\p{L}*_`~|("'“])/u;

/** A bullet, in the characters that also begin emphasis. */
const BULLET = /^[*+-]\s/;

/** An HTML block, which a blank line ends, but draws none below itself. */
const HTML = /^ {0,3}<[a-z/]/i;

/** An HTML block that goes on over blank lines. A comment is none: it is shown, as are definitions of links. */
const FAR_HTML = /^ {0,3}<(?:\?|![a-z[]|(?:script|pre|style|textarea)\b)/i;

/** A formula of its own, which may go on over blank lines. */
const FORMULA = /^ {0,3}(?:\$\$|\\\[)/;

/** Markdown that reads the same alone as in its place. */
export interface MarkdownSegment {
  readonly text: string;
  /** The code block at its beginning began in an earlier segment, and its upper border is shown there. */
  readonly continuesCode: boolean;
  /** The code block at its end goes on in the next segment, and its lower border is shown there. */
  readonly isContinued: boolean;
  /** The list at its beginning began in an earlier segment. */
  readonly continuesList: boolean;
}

/** What goes on at the beginning of a segment: the code of a fence, or a list. */
type Continued = CodeFence | "list" | undefined;

interface OverSegment extends MarkdownSegment {
  readonly continued: Continued;
  /** The part of the text that it stands for. */
  readonly source: string;
}

/**
 * Cuts markdown that grows where its parts read the same alone as together, so that only what follows the last cut has
 * to be read again (fault kind UI-17). There is a blank line between two segments, except within code and lists.
 */
export class MarkdownCutter {
  #over: OverSegment[] = [];
  /** What has not been cut off yet, and up to where its whole lines have been looked at. */
  #open = "";
  #at = 0;
  #fence: CodeFence | undefined;
  #list: MarginList | undefined;
  #continued: Continued;
  /** The line before the one that is looked at, and what may go on with it. */
  readonly #before = { line: "", isBlank: false, isHtml: false, isFormula: false };
  /** Something reaches from the open segment to the end. */
  #isStuck = false;

  /**
   * Those that no text to come changes, except that a blank line between the items of a list makes one of the list.
   */
  get over(): readonly MarkdownSegment[] {
    return this.#over;
  }

  /** Adds what comes next. Blanks before the first text are left out. */
  add(text: string): void {
    this.#open += this.#isEmpty ? text.trimStart() : text;
    for (;;) {
      const end = this.#open.indexOf("\n", this.#at);
      if (end === -1) return;
      this.#look(this.#open.slice(this.#at, end));
      // A cut or a list that is drawn as a whole may have moved where the line stands.
      this.#at = this.#open.indexOf("\n", this.#at) + 1;
    }
  }

  /** The last segment, without blanks at its end; `more` follows it for now. */
  open(more = ""): MarkdownSegment {
    const source = (this.#open + more).trimEnd();
    const text = this.#headed(this.#isEmpty ? source.trimStart() : source);
    return { text, ...this.#beginning(), isContinued: false };
  }

  get #isEmpty(): boolean {
    return this.#over.length === 0 && this.#open === "";
  }

  #look(line: string): void {
    if (this.#fence !== undefined) this.#lookAtCode(line, this.#fence);
    else this.#lookAtText(line);
    this.#before.isBlank = line.trim() === "";
    this.#before.line = line;
  }

  #lookAtCode(line: string, fence: CodeFence): void {
    if (fence.mayBeLeftBy(line)) this.#isStuck = true;
    if (fence.isClosedBy(line)) this.#fence = undefined;
    else {
      // A segment that would begin or end with blank lines of code would lose them.
      const isLong = this.#at >= MIN_CHARACTERS && fence.canBeCut && line.trim() !== "";
      if (isLong && !this.#isStuck) this.#cutCode(fence);
      fence.add(line);
    }
  }

  #lookAtText(line: string): void {
    this.#lookAtList(line);
    const beginsBlock = this.#before.isBlank && BEGINS_BLOCK.test(line) && !BULLET.test(line);
    if (beginsBlock) {
      if (this.#at >= MIN_CHARACTERS && !this.#before.isHtml && !this.#isStuck) this.#cut();
      this.#before.isHtml = false;
    }
    this.#lookAtFormula(line);
    if (FAR_HTML.test(line)) this.#isStuck = true;
    else if (HTML.test(line)) this.#before.isHtml = true;
    this.#fence = CodeFence.of(line);
    if (this.#fence !== undefined) this.#loosen();
    // It may be a part of the HTML above.
    if (this.#fence !== undefined && this.#before.isHtml && !this.#before.isBlank) this.#isStuck = true;
  }

  #lookAtFormula(line: string): void {
    const isBegin = !this.#before.isFormula && FORMULA.test(line);
    const rest = isBegin ? line.replace(FORMULA, "") : line;
    if (!isBegin && !this.#before.isFormula) return;
    this.#before.isFormula = !/(?:\$\$|\\\])[ \t]*$/.test(rest);
    if (line.trim() === "") this.#isStuck = true;
  }

  #lookAtList(line: string): void {
    const list = this.#list;
    if (line.trim() === "") return;
    if (list === undefined) {
      const isInOther = this.#before.isHtml || this.#before.isFormula;
      if (!isInOther) this.#list = MarginList.of(line, this.#before.line, this.#over.length);
    } else if (this.#before.isBlank) {
      if (list.isLeftBy(line)) this.#list = undefined;
      else this.#loosen();
    } else if (list.canBeCutBefore(line) && this.#at >= MIN_CHARACTERS && !this.#isStuck) {
      this.#cut();
      this.#continued = "list";
    }
  }

  /** The list is one that has to be drawn as a whole. */
  #loosen(): void {
    if (this.#list === undefined) return;
    this.#list.loosen();
    this.#joinFrom(this.#list.firstSegment);
  }

  #cut(): void {
    const source = this.#open.slice(0, this.#at);
    this.#end(source, { text: this.#headed(source.trimEnd()), ...this.#beginning(), isContinued: false });
    this.#continued = undefined;
  }

  #cutCode(fence: CodeFence): void {
    const source = this.#open.slice(0, this.#at);
    // The line feed at its end is the one before the fence that is put there.
    const text = `${this.#headed(source)}${fence.mark}`;
    this.#end(source, { text, ...this.#beginning(), isContinued: true });
    this.#continued = fence;
  }

  #beginning(): Pick<MarkdownSegment, "continuesCode" | "continuesList"> {
    return {
      continuesCode: this.#continued instanceof CodeFence,
      continuesList: this.#continued === "list",
    };
  }

  #headed(source: string): string {
    return this.#continued instanceof CodeFence ? `${this.#continued.mark}\n${source}` : source;
  }

  #end(source: string, segment: MarkdownSegment): void {
    this.#over.push({ ...segment, source, continued: this.#continued });
    this.#open = this.#open.slice(this.#at);
    this.#at = 0;
  }

  /** Makes one segment of that of an index and all that follow. */
  #joinFrom(index: number): void {
    const joined = this.#over.splice(index);
    const before = joined.map(({ source }) => source).join("");
    this.#open = before + this.#open;
    this.#at += before.length;
    if (joined[0] !== undefined) this.#continued = joined[0].continued;
  }
}
