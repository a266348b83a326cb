import { type Component, Markdown } from "@earendil-works/pi-tui";
import type { GrowingCode, Highlighter } from "../highlight/highlighter.ts";
import { type HighlightCode, markdownTheme, type Paint } from "../theme.ts";
import { markdownSegments } from "./markdown-segments.ts";

interface Segment {
  text: string;
  readonly view: Markdown;
  readonly code: GrowingCode | undefined;
}

/** Markdown that grows: parts that are over are not read again, so a long stream costs what is new (fault kind UI-17). */
export class MarkdownBody implements Component {
  readonly #paint: Paint;
  readonly #highlighter: Highlighter | undefined;
  #segments: Segment[] = [];
  #cache: { readonly parts: readonly (readonly string[])[]; readonly lines: readonly string[] } | undefined;

  /** Without a highlighter, code is plain. */
  constructor(paint: Paint, highlighter?: Highlighter) {
    this.#paint = paint;
    this.#highlighter = highlighter;
  }

  setText(text: string): void {
    const texts = markdownSegments(text);
    this.#segments.length = Math.min(this.#segments.length, texts.length);
    for (const [index, part] of texts.entries()) {
      const segment = this.#segments[index];
      if (segment === undefined) {
        const before = this.#segments.at(-1);
        if (before !== undefined) finish(before);
        this.#segments.push(this.#newSegment(part));
      } else if (segment.text !== part) {
        segment.text = part;
        segment.view.setText(part);
      }
    }
  }

  /** No more text comes: code whose end is still plain is coloured. */
  finish(): void {
    const last = this.#segments.at(-1);
    if (last !== undefined) finish(last);
  }

  invalidate(): void {
    for (const { view, code } of this.#segments) {
      code?.reset();
      view.invalidate();
    }
  }

  render(width: number): readonly string[] {
    const parts = this.#segments.map(({ view }) => view.render(width));
    const before = this.#cache;
    const isSame =
      before?.parts.length === parts.length && parts.every((part, index) => part === before.parts[index]);
    if (isSame) return before.lines;
    const lines = parts.flatMap((part, index) => (index === 0 ? part : ["", ...part]));
    this.#cache = { parts, lines };
    return lines;
  }

  /** Formulas are left alone: in answers about code a dollar sign is a dollar sign. */
  #newSegment(text: string): Segment {
    const code = this.#highlighter?.growing();
    const highlight: HighlightCode | undefined =
      code === undefined ? undefined : (block, language) => code.lines(block, language);
    const theme = markdownTheme(this.#paint, highlight);
    const view = new Markdown(text, 0, 0, theme, undefined, { renderLatex: false });
    return { text, view, code };
  }
}

function finish({ view, code }: Segment): void {
  if (code?.isPartial !== true) return;
  code.reset();
  view.invalidate();
}
