import type { AssistantContent, AssistantMessage, StreamEvent } from "@coppice/ai";
import type { Highlighter } from "../highlight/highlighter.ts";
import { BLANK, type Pieces } from "../pieces.ts";
import { GrowingScreenText } from "../screen-text.ts";
import type { Paint } from "../theme.ts";
import { MarkdownBody } from "./markdown-body.ts";
import { PiecedView } from "./pieced-view.ts";
import { ThinkingBody } from "./thinking-body.ts";

export interface AssistantViewOptions {
  readonly paint: Paint;
  /** Absent: code is plain. */
  readonly highlighter?: Highlighter | undefined;
  /** Whether thinking is shown in full; asked at every frame. */
  readonly showsThinking: () => boolean;
}

type ShownContent = Exclude<AssistantContent, { type: "toolCall" }>;

interface Part {
  readonly type: ShownContent["type"];
  /** What is shown, as it came. */
  source: string;
  text: GrowingScreenText;
  readonly body: MarkdownBody | ThinkingBody;
}

interface Growth {
  /** Of what was added, what is to be shown now. */
  readonly taken: string;
  readonly added: string;
}

/** An answer as it streams: text as markdown, thinking as one line unless asked for. Tool calls have their own views. */
export class AssistantView extends PiecedView {
  readonly #options: AssistantViewOptions;
  /** By the place of their block in the message. */
  #parts: (Part | undefined)[] = [];
  #message: AssistantMessage | undefined;
  /** What was added to blocks and is not shown yet, by their place. */
  #added = new Map<number, string>();

  constructor(options: AssistantViewOptions) {
    super();
    this.#options = options;
  }

  /** The message as it is now, whatever it was. Costs what it holds where that is not what was shown. */
  update(message: AssistantMessage): void {
    this.advance();
    this.#message = message;
    this.#synchronise(message);
  }

  /** The message after a delta, which is shown by the next calls of `advance`: that is paid once per frame (fault kind UI-17). */
  grow(message: AssistantMessage, { contentIndex, delta }: Delta): void {
    this.#message = message;
    this.#added.set(contentIndex, (this.#added.get(contentIndex) ?? "") + delta);
  }

  /** Shows what has come, or the first so many characters of it; whether there is more. */
  advance(maxCharacters = Number.POSITIVE_INFINITY): boolean {
    let left = maxCharacters;
    for (const [index, added] of this.#added) {
      if (left <= 0) return true;
      const block = this.#message?.content[index];
      const taken = added.length <= left ? added : added.slice(0, left);
      left -= taken.length;
      if (taken === added) this.#added.delete(index);
      else this.#added.set(index, added.slice(taken.length));
      if (block !== undefined && block.type !== "toolCall") this.#append(index, block, { taken, added });
    }
    return this.#added.size > 0;
  }

  /** The message is whole. */
  finish(): void {
    this.advance();
    for (const part of this.#parts) if (part?.body instanceof MarkdownBody) part.body.finish();
  }

  invalidate(): void {
    for (const part of this.#parts) part?.body.invalidate();
  }

  pieces(width: number): Pieces {
    return this.#parts.flatMap((part) => {
      const pieces = part?.body.pieces(width) ?? [];
      return pieces.every((piece) => piece.length === 0) ? [] : [BLANK, ...pieces];
    });
  }

  #synchronise({ content }: AssistantMessage): void {
    this.#parts.length = Math.min(this.#parts.length, content.length);
    // Blocks that have not begun are holes.
    content.forEach((block, index) => {
      if (block === undefined || block.type === "toolCall") delete this.#parts[index];
      else this.#replace(index, block);
    });
  }

  #append(index: number, block: ShownContent, { taken, added }: Growth): void {
    const part = this.#parts[index];
    // Of a long text, only its length is looked at: a stream tells what it adds. When the block is whole, it is compared.
    if (part?.type !== block.type || part.source.length + added.length !== sourceOf(block).length) {
      this.#added.delete(index);
      this.#replace(index, block);
      return;
    }
    part.source += taken;
    part.body.append(part.text.add(taken), part.text.rest);
  }

  #replace(index: number, block: ShownContent): void {
    const source = sourceOf(block);
    const before = this.#parts[index];
    if (before?.type === block.type && before.source === source) {
      // One copy of the text is enough.
      before.source = source;
      return;
    }
    const part = before?.type === block.type ? before : this.#newPart(block.type);
    part.source = source;
    part.text = new GrowingScreenText();
    part.body.setText("");
    part.body.append(part.text.add(source), part.text.rest);
    this.#parts[index] = part;
  }

  #newPart(type: ShownContent["type"]): Part {
    const { paint, highlighter, showsThinking } = this.#options;
    const body =
      type === "text"
        ? new MarkdownBody(paint, highlighter)
        : new ThinkingBody({ paint, isOpen: showsThinking });
    return { type, source: "", text: new GrowingScreenText(), body };
  }
}

/** A piece of text that a stream adds to a block. */
type Delta = Extract<StreamEvent, { type: "text_delta" | "thinking_delta" }>;

function sourceOf(block: ShownContent): string {
  return block.type === "thinking" ? block.thinking : block.text;
}
