import { Markdown, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { GrowingCode, Highlighter } from "../highlight/highlighter.ts";
import { BLANK, type Pieces } from "../pieces.ts";
import { type HighlightCode, markdownTheme, type Paint } from "../theme.ts";
import { MarkdownCutter, type MarkdownSegment } from "./markdown-segments.ts";
import { PiecedView } from "./pieced-view.ts";
import { visibleMarkdown } from "./visible-markdown.ts";

/** How the renderer draws the borders of a code block without a language. */
const BORDER = "```";

interface SegmentView {
  segment: MarkdownSegment;
  readonly markdown: Markdown;
  readonly code: GrowingCode | undefined;
}

/** Markdown that grows: parts that are over are not read again, so a long stream costs what is new (fault kind UI-17). */
export class MarkdownBody extends PiecedView {
  readonly #paint: Paint;
  readonly #highlighter: Highlighter | undefined;
  #cutter = new MarkdownCutter();
  /** The last lines of which a border was taken away. */
  #cut: { readonly from: readonly string[]; readonly lines: readonly string[] } | undefined;
  /** Of the segments that are over, then of the open one. */
  #views: SegmentView[] = [];
  #over = new OverPieces(0);

  /** Without a highlighter, code is plain. */
  constructor(paint: Paint, highlighter?: Highlighter) {
    super();
    this.#paint = paint;
    this.#highlighter = highlighter;
  }

  /** Another text. */
  setText(text: string): void {
    this.#cutter = new MarkdownCutter();
    this.#dropFrom(0);
    this.append(text);
  }

  /** Adds what comes next; `more` follows it until the next call. Blanks at both ends of the text are not shown. */
  append(text: string, more = ""): void {
    this.#cutter.add(text);
    const { over } = this.#cutter;
    let index = Math.max(0, Math.min(this.#views.length - 1, over.length));
    // What was cut may have been joined again.
    while (index > 0 && this.#views[index - 1]?.segment !== over[index - 1]) index--;
    if (index < this.#views.length - 1) this.#dropFrom(index);
    for (; index < over.length; index++) {
      const segment = over[index];
      if (segment !== undefined) finish(this.#show(index, segment));
    }
    this.#show(over.length, this.#cutter.open(more));
  }

  /** No more text comes: code whose end is still plain is coloured. */
  finish(): void {
    const last = this.#views.at(-1);
    if (last !== undefined) finish(last);
  }

  invalidate(): void {
    for (const { markdown, code } of this.#views) {
      code?.reset();
      markdown.invalidate();
    }
    this.#over = new OverPieces(0);
  }

  pieces(width: number): Pieces {
    if (this.#over.width !== width) this.#over = new OverPieces(width);
    const over = this.#over;
    const last = this.#views.length - 1;
    while (over.segments < last) over.add(this.#piecesOf(over.segments, width));
    return last < 0 ? [] : [...over.pieces, ...over.recent, ...this.#piecesOf(last, width)];
  }

  /** Of one segment, with a blank line above where another block is there. */
  #piecesOf(index: number, width: number): Pieces {
    const view = this.#views[index];
    if (view === undefined) return [];
    const lines = this.#withoutInnerBorders(view.segment, view.markdown.render(width), width);
    const { continuesCode, continuesList } = view.segment;
    return index === 0 || continuesCode || continuesList ? [lines] : [BLANK, lines];
  }

  #withoutInnerBorders(
    { continuesCode, isContinued }: MarkdownSegment,
    lines: readonly string[],
    width: number,
  ): readonly string[] {
    if (!continuesCode && !isContinued) return lines;
    if (this.#cut?.from === lines) return this.#cut.lines;
    const border = wrapTextWithAnsi(BORDER, Math.max(1, width)).length;
    const cut = lines.slice(continuesCode ? border : 0, lines.length - (isContinued ? border : 0));
    this.#cut = { from: lines, lines: cut };
    return cut;
  }

  #dropFrom(index: number): void {
    this.#views.length = index;
    this.#over = new OverPieces(0);
  }

  #show(index: number, segment: MarkdownSegment): SegmentView {
    const known = this.#views[index];
    if (known === undefined) {
      const view = this.#newView(segment);
      this.#views.push(view);
      return view;
    }
    if (known.segment.text !== segment.text) known.markdown.setText(segment.text);
    known.segment = segment;
    return known;
  }

  /** Formulas are left alone: in answers about code a dollar sign is a dollar sign. */
  #newView(segment: MarkdownSegment): SegmentView {
    const code = this.#highlighter?.growing();
    const highlight: HighlightCode | undefined =
      code === undefined ? undefined : (block, language) => code.lines(block, language);
    const theme = markdownTheme(this.#paint, highlight);
    const markdown = new Markdown(segment.text, 0, 0, theme, undefined, {
      renderLatex: false,
      preserveOrderedListMarkers: true,
      transform: visibleMarkdown,
    });
    return { segment, markdown, code };
  }
}

function finish({ markdown, code }: SegmentView): void {
  if (code?.isPartial !== true) return;
  code.reset();
  markdown.invalidate();
}

/** Few pieces are quickly gone through; joining them costs reading their lines once more. */
const MIN_PIECE_LINES = 256;

/** What is drawn of the segments that are over. */
class OverPieces {
  readonly width: number;
  /** How many segments are in it. */
  segments = 0;
  readonly pieces: (readonly string[])[] = [];
  /** Those that are too short still to be joined to one. */
  recent: (readonly string[])[] = [];
  #recentLines = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** Adds one more segment. */
  add(pieces: Pieces): void {
    this.segments += 1;
    this.recent.push(...pieces);
    this.#recentLines += pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (this.#recentLines < MIN_PIECE_LINES) return;
    this.pieces.push(this.recent.flat());
    this.recent = [];
    this.#recentLines = 0;
  }
}
