import type { Component, TUI } from "@earendil-works/pi-tui";
import type { ScreenSize } from "./dialogs/permission-lines.ts";
import { SuddenDialog, type WritingPlace } from "./dialogs/sudden-dialog.ts";
import { SafeContainer } from "./safe-container.ts";
import { Screen } from "./screen.ts";
import type { Paint } from "./theme.ts";
import { Picker, type PickerOptions } from "./views/picker.ts";
import { TextPrompt, type TextPromptOptions } from "./views/text-prompt.ts";

/** What the screen shows, from top to bottom; the editor's place is lent to lists. */
export interface LayoutParts {
  readonly above: readonly Component[];
  readonly editor: WritingPlace;
  readonly below: readonly Component[];
}

export interface PickOptions extends Pick<PickerOptions, "title" | "choices" | "selected" | "hint"> {
  /** It comes unasked: what is typed goes into the text that is being written and does not narrow the list. */
  readonly isSudden?: boolean;
}

/** The arrangement of the screen, and who has the keys. */
export class Layout {
  readonly #tui: TUI;
  readonly #paint: Paint;
  readonly #place = new SafeContainer();
  #above: readonly Component[] = [];
  readonly #now: () => number;
  #editor: WritingPlace | undefined;
  #opened: Component[] = [];

  /** `now` in milliseconds. */
  constructor(tui: TUI, paint: Paint, now: () => number = Date.now) {
    this.#tui = tui;
    this.#paint = paint;
    this.#now = now;
    this.#mount([this.#place]);
  }

  /** Leaves the conversation alone on the screen, for the shell to go on below it. */
  leave(): void {
    this.#mount(this.#above);
    this.#editor = undefined;
    this.#opened = [];
    this.#tui.setFocus(null);
    this.#tui.renderNow();
  }

  show({ above, editor, below }: LayoutParts): void {
    this.#mount([...above, this.#place, ...below]);
    this.#above = above;
    this.#editor = editor;
    this.#lendToTop();
  }

  /** Of the terminal at this moment. */
  size(): ScreenSize {
    const { columns, rows } = this.#tui.terminal;
    return { columns, rows };
  }

  /** A list in the editor's place; the value that was chosen, or undefined. */
  pick({ isSudden, ...options }: PickOptions, signal?: AbortSignal): Promise<string | undefined> {
    return this.open((onDone) => {
      const picker = new Picker({
        ...{ ...options, paint: this.#paint, onDone },
        canNarrow: isSudden !== true,
      });
      const editor = this.#editor;
      if (isSudden !== true || editor === undefined) return picker;
      return new SuddenDialog({ dialog: picker, editor, paint: this.#paint, now: this.#now });
    }, signal);
  }

  /** A line to write in the editor's place; undefined when it was left. */
  input(
    options: Omit<TextPromptOptions, "paint" | "onDone">,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    return this.open((onDone) => new TextPrompt({ ...options, paint: this.#paint, onDone }), signal);
  }

  /**
   * Something else in the editor's place until it calls back, or until the signal fires (undefined). What was there
   * comes back as it was; the last one that was opened has the keys.
   */
  open<T>(
    make: (onDone: (value: T | undefined) => void) => Component,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    if (signal?.aborted === true) return Promise.resolve(undefined);
    const onDone = (value: T | undefined) => {
      signal?.removeEventListener("abort", onAbort);
      this.#opened = this.#opened.filter((one) => one !== component);
      this.#lendToTop();
      resolve(value);
    };
    const onAbort = () => onDone(undefined);
    const component = make(onDone);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#opened.push(component);
    this.#lendToTop();
    return promise;
  }

  #mount(components: readonly Component[]): void {
    const screen = new Screen();
    for (const component of components) screen.addChild(component);
    this.#tui.clear();
    this.#tui.addChild(screen);
  }

  #lendToTop(): void {
    const component = this.#opened.at(-1) ?? this.#editor;
    if (component === undefined) return;
    this.#place.clear();
    this.#place.addChild(component);
    this.#tui.setFocus(component);
    this.#tui.requestRender();
  }
}
