import { type Component, Markdown } from "@earendil-works/pi-tui";
import { markdownTheme, type Paint } from "../theme.ts";
import { markdownSegments } from "./markdown-segments.ts";

interface Segment {
  text: string;
  readonly view: Markdown;
}

/** Markdown that grows: parts that are over are not read again, so a long stream costs what is new (fault kind UI-17). */
export class MarkdownBody implements Component {
  readonly #paint: Paint;
  #segments: Segment[] = [];
  #cache: { readonly parts: readonly (readonly string[])[]; readonly lines: readonly string[] } | undefined;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  setText(text: string): void {
    const texts = markdownSegments(text);
    this.#segments.length = Math.min(this.#segments.length, texts.length);
    for (const [index, part] of texts.entries()) {
      const segment = this.#segments[index];
      if (segment === undefined) this.#segments.push({ text: part, view: newMarkdown(part, this.#paint) });
      else if (segment.text !== part) {
        segment.text = part;
        segment.view.setText(part);
      }
    }
  }

  invalidate(): void {
    for (const { view } of this.#segments) view.invalidate();
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
}

/** Formulas are left alone: in answers about code a dollar sign is a dollar sign. */
function newMarkdown(text: string, paint: Paint): Markdown {
  return new Markdown(text, 0, 0, markdownTheme(paint), undefined, { renderLatex: false });
}
