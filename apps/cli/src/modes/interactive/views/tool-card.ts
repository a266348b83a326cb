import type { Highlighter } from "../highlight/highlighter.ts";
import type { Paint } from "../theme.ts";
import type { ImageView } from "./image-view.ts";
import { type ToolCardState, toolCardLines } from "./tool-card-lines.ts";
import { View } from "./view.ts";

export interface ToolCardOptions {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly isExpanded: boolean;
  readonly paint: Paint;
  /** Absent: code is plain. */
  readonly highlighter?: Highlighter | undefined;
}

/** One tool call on the screen, from its first argument to its result. */
export class ToolCard extends View {
  readonly #paint: Paint;
  readonly #highlighter: Highlighter | undefined;
  #state: ToolCardState;
  #images: readonly ImageView[] = [];

  constructor({ toolName, args, isExpanded, paint, highlighter }: ToolCardOptions) {
    super();
    this.#paint = paint;
    this.#highlighter = highlighter;
    this.#state = {
      ...{ toolName, args, isExpanded },
      status: "preparing",
      output: "",
      details: undefined,
      durationMs: undefined,
    };
  }

  get isOver(): boolean {
    return !["preparing", "waiting", "running"].includes(this.#state.status);
  }

  get isRunning(): boolean {
    return this.#state.status === "running";
  }

  get isWaiting(): boolean {
    return this.#state.status === "waiting";
  }

  update(change: Partial<ToolCardState>): void {
    this.#state = { ...this.#state, ...change };
    this.changed();
  }

  /** The images of the result, below its text. */
  showImages(images: readonly ImageView[]): void {
    this.#images = images;
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    for (const image of this.#images) image.invalidate();
  }

  protected override draw(width: number): readonly string[] {
    const lines = toolCardLines(this.#state, width, {
      paint: this.#paint,
      highlight: (code, language) => this.#highlighter?.lines(code, language) ?? code.split("\n"),
    });
    return [...lines, ...this.#images.flatMap((image) => image.render(width))];
  }
}
