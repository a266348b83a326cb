import type { Component, TUI } from "@earendil-works/pi-tui";
import type { ClippedLine } from "./clipped-line.ts";
import type { ScreenSize } from "./dialogs/permission-lines.ts";
import { type DialogClock, SuddenDialog, type WritingPlace } from "./dialogs/sudden-dialog.ts";
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

/**
 * How something that comes unasked takes keys: `keys` = no letters, all that is typed goes into the text that is being
 * written; `text` = letters are for it after a pause.
 */
export type Suddenness = "keys" | "text";

export interface PickOptions extends Pick<PickerOptions, "title" | "choices" | "selected"> {
  /** What its keys do, where that is not what they do in every list. */
  readonly hint?: string;
  /** Absent: somebody asked for the list. */
  readonly sudden?: Suddenness;
}

export interface InputOptions extends Omit<TextPromptOptions, "paint" | "onDone" | "hint"> {
  /** Absent: somebody asked for the line. */
  readonly sudden?: Suddenness;
}

interface Opened {
  readonly component: Component;
  readonly dismiss: () => void;
}

const SYSTEM_CLOCK: DialogClock = {
  now: Date.now,
  after: (ms, callback) => void setTimeout(callback, ms),
};

/** The arrangement of the screen, and who has the keys. */
export class Layout {
  readonly #tui: TUI;
  readonly #paint: Paint;
  readonly #place = new SafeContainer();
  #above: readonly Component[] = [];
  readonly #clock: DialogClock;
  #editor: WritingPlace | undefined;
  #opened: readonly Opened[] = [];
  #isLeft = false;
  readonly #clippedViews = new Set<string>();
  #onClipped: (line: ClippedLine) => void = () => {};

  constructor(tui: TUI, paint: Paint, clock: DialogClock = SYSTEM_CLOCK) {
    this.#tui = tui;
    this.#paint = paint;
    this.#clock = clock;
    this.#mount([this.#place]);
  }

  /**
   * Leaves the conversation alone on the screen, for the shell to go on below it. What is open is dismissed, and so is
   * whatever would be opened from then on: whoever waits for an answer, such as an extension that ends, would never get one.
   */
  leave(): void {
    this.#isLeft = true;
    this.#editor = undefined;
    for (const { dismiss } of this.#opened) dismiss();
    this.#mount(this.#above);
    this.#tui.setFocus(null);
    this.#tui.renderNow();
  }

  show({ above, editor, below }: LayoutParts): void {
    this.#mount([...above, this.#place, ...below]);
    this.#above = above;
    this.#editor = editor;
    this.#lendToTop();
  }

  /** Hears, after the frame, of each kind of view of which a line was clipped (fault B196); once in a run. */
  onClipped(listener: (line: ClippedLine) => void): void {
    this.#onClipped = listener;
  }

  /** Of the terminal at this moment. */
  size(): ScreenSize {
    const { columns, rows } = this.#tui.terminal;
    return { columns, rows };
  }

  /** A list in the editor's place; the value that was chosen, or undefined. */
  pick({ sudden, hint: keys, ...options }: PickOptions, signal?: AbortSignal): Promise<string | undefined> {
    const paint = this.#paint;
    return this.open((onDone) => {
      const picker = (hint: (keys: string) => string) =>
        new Picker({
          ...{ ...options, paint, hint, onDone },
          ...(keys === undefined ? {} : { keys }),
          canNarrow: sudden !== "keys",
        });
      return this.#guarded(picker, sudden);
    }, signal);
  }

  /** A line to write in the editor's place; undefined when it was left. */
  input({ sudden, ...options }: InputOptions, signal?: AbortSignal): Promise<string | undefined> {
    const paint = this.#paint;
    return this.open((onDone) => {
      const prompt = (hint: (keys: string) => string) => new TextPrompt({ ...options, paint, hint, onDone });
      return this.#guarded(prompt, sudden);
    }, signal);
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
    if (this.#isLeft || signal?.aborted === true) return Promise.resolve(undefined);
    const onDone = (value: T | undefined) => {
      signal?.removeEventListener("abort", onAbort);
      this.#opened = this.#opened.filter((one) => one.component !== component);
      this.#lendToTop();
      resolve(value);
    };
    const onAbort = () => onDone(undefined);
    const component = make(onDone);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#opened = [...this.#opened, { component, dismiss: onAbort }];
    this.#lendToTop();
    return promise;
  }

  #guarded(dialog: (hint: (keys: string) => string) => Component, sudden: Suddenness | undefined): Component {
    const editor = this.#editor;
    if (sudden === undefined || editor === undefined) return dialog((keys) => keys);
    return new SuddenDialog({
      ...{ dialog, editor, takesText: sudden === "text", paint: this.#paint, clock: this.#clock },
      requestRender: () => this.#tui.requestRender(),
    });
  }

  #mount(components: readonly Component[]): void {
    const screen = new Screen((line) => this.#tellOfClipped(line));
    for (const component of components) screen.addChild(component);
    this.#tui.clear();
    this.#tui.addChild(screen);
  }

  #tellOfClipped(line: ClippedLine): void {
    if (this.#clippedViews.has(line.view)) return;
    this.#clippedViews.add(line.view);
    queueMicrotask(() => this.#onClipped(line));
  }

  #lendToTop(): void {
    const component = this.#opened.at(-1)?.component ?? this.#editor;
    if (component === undefined) return;
    this.#place.clear();
    this.#place.addChild(component);
    this.#tui.setFocus(component);
    this.#tui.requestRender();
  }
}
