import { type Component, getKeybindings, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { keyHints, keyPairText, keyText, listHints } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import { screenText } from "../screen-text.ts";
import type { Paint } from "../theme.ts";

const PAGE = 20;

export interface TextPagesOptions {
  readonly title: string;
  /** Untrusted. */
  readonly text: string;
  readonly paint: Paint;
  readonly onDone: (value: undefined) => void;
}

/** A long text to look through in place of the editor. */
export class TextPages implements Component {
  readonly #options: TextPagesOptions;
  #wrapped: { readonly width: number; readonly lines: readonly string[] } | undefined;
  #top = 0;

  constructor(options: TextPagesOptions) {
    this.#options = options;
  }

  invalidate(): void {
    this.#wrapped = undefined;
  }

  render(width: number): readonly string[] {
    const { title, paint } = this.#options;
    const lines = this.#lines(width);
    const end = Math.min(lines.length, this.#top + PAGE);
    const place = paint("dim", `lines ${Math.min(this.#top + 1, lines.length)}–${end} of ${lines.length}`);
    return [
      "",
      clipLine(`${paint("strong", title)} ${place}`, width),
      ...lines.slice(this.#top, end),
      clipLine(paint("dim", pagesHint()), width),
    ];
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const isDone = keys.matches(data, "tui.select.cancel") || keys.matches(data, "tui.select.confirm");
    if (isDone) this.#options.onDone(undefined);
    else if (keys.matches(data, "tui.select.up")) this.#scroll(-1);
    else if (keys.matches(data, "tui.select.down")) this.#scroll(1);
    else if (keys.matches(data, "tui.select.pageUp")) this.#scroll(-PAGE);
    else if (keys.matches(data, "tui.select.pageDown")) this.#scroll(PAGE);
  }

  #scroll(by: number): void {
    const last = Math.max(0, (this.#wrapped?.lines.length ?? 0) - PAGE);
    this.#top = Math.max(0, Math.min(last, this.#top + by));
  }

  #lines(width: number): readonly string[] {
    if (this.#wrapped?.width !== width) {
      const text = screenText(this.#options.text);
      this.#wrapped = {
        width,
        lines: text.split("\n").flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width))),
      };
    }
    return this.#wrapped.lines;
  }
}

function pagesHint(): string {
  const pages = [keyText("tui.select.pageUp"), keyText("tui.select.pageDown")].filter((key) => key !== "");
  const move = [keyPairText("tui.select.up", "tui.select.down"), ...pages].join(" ");
  return keyHints([move.trim(), "move"], listHints.leave("leaves"));
}
