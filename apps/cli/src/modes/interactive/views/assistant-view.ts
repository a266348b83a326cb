import type { AssistantContent, AssistantMessage } from "@coppice/ai";
import { type Component, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Highlighter } from "../highlight/highlighter.ts";
import { keyText } from "../keymap.ts";
import { screenText } from "../screen-text.ts";
import type { Paint } from "../theme.ts";
import { MarkdownBody } from "./markdown-body.ts";

export interface AssistantViewOptions {
  readonly paint: Paint;
  /** Absent: code is plain. */
  readonly highlighter?: Highlighter | undefined;
  /** Whether thinking is shown in full; asked at every frame. */
  readonly showsThinking: () => boolean;
}

interface Part {
  readonly source: string;
  readonly isThinking: boolean;
  readonly isOpen: boolean;
  readonly body: Component;
}

/** An answer as it streams: text as markdown, thinking as one line unless asked for. Tool calls have their own views. */
export class AssistantView implements Component {
  readonly #options: AssistantViewOptions;
  #message: AssistantMessage | undefined;
  #parts: Part[] = [];
  #drawn: { readonly message: AssistantMessage | undefined; readonly showsThinking: boolean } | undefined;
  #cache: { width: number; parts: readonly (readonly string[])[]; lines: readonly string[] } | undefined;

  constructor(options: AssistantViewOptions) {
    this.#options = options;
  }

  /** Cheap: what it costs to draw is paid once per frame, not per delta (fault kind UI-17). */
  update(message: AssistantMessage): void {
    this.#message = message;
  }

  /** The message is whole. */
  finish(): void {
    this.#synchronise();
    for (const { body } of this.#parts) if (body instanceof MarkdownBody) body.finish();
  }

  invalidate(): void {
    this.#parts = [];
    this.#drawn = undefined;
    this.#cache = undefined;
  }

  render(width: number): readonly string[] {
    this.#synchronise();
    const parts = this.#parts.map((part) => part.body.render(width));
    const before = this.#cache;
    const isSame =
      before?.width === width &&
      before.parts.length === parts.length &&
      parts.every((part, index) => part === before.parts[index]);
    if (isSame) return before.lines;
    const lines = parts.flatMap((part) => (part.length === 0 ? [] : ["", ...part]));
    this.#cache = { width, parts, lines };
    return lines;
  }

  #synchronise(): void {
    const showsThinking = this.#options.showsThinking();
    if (this.#drawn?.message === this.#message && this.#drawn?.showsThinking === showsThinking) return;
    this.#drawn = { message: this.#message, showsThinking };
    const blocks = (this.#message?.content ?? []).filter((block) => block !== undefined);
    const shown = blocks.filter((block) => block.type !== "toolCall");
    this.#parts.length = Math.min(this.#parts.length, shown.length);
    for (const [index, block] of shown.entries()) {
      this.#parts[index] = this.#part(block, this.#parts[index]);
    }
  }

  #part(block: Exclude<AssistantContent, { type: "toolCall" }>, before: Part | undefined): Part {
    const { paint, highlighter, showsThinking } = this.#options;
    const isThinking = block.type === "thinking";
    const source = isThinking ? block.thinking : block.text;
    const isOpen = isThinking && showsThinking();
    if (before?.isThinking === isThinking && before.source === source && before.isOpen === isOpen)
      return before;
    const text = screenText(source).trim();
    if (isThinking) return { source, isThinking, isOpen, body: thinkingBody(text, isOpen, paint) };
    const body = before?.body instanceof MarkdownBody ? before.body : new MarkdownBody(paint, highlighter);
    body.setText(text);
    return { source, isThinking, isOpen, body };
  }
}

function thinkingBody(text: string, isOpen: boolean, paint: Paint): Component {
  let cache: { width: number; lines: readonly string[] } | undefined;
  return {
    invalidate() {
      cache = undefined;
    },
    render(width) {
      if (cache?.width !== width) cache = { width, lines: thinkingLines(text, isOpen, width, paint) };
      return cache.lines;
    },
  };
}

function thinkingLines(text: string, isOpen: boolean, width: number, paint: Paint): readonly string[] {
  if (!isOpen) return [paint("quote", `∴ thinking (${keyText("app.thinking")} shows it)`)];
  return text
    .split("\n")
    .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)))
    .map((line) => paint("quote", `  ${line}`));
}
