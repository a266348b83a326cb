import type { Component, TUI } from "@earendil-works/pi-tui";
import { SafeContainer } from "./safe-container.ts";
import { Screen } from "./screen.ts";
import type { Paint } from "./theme.ts";
import { type Choice, Picker, type PickerOptions } from "./views/picker.ts";

/** What the screen shows, from top to bottom; the editor's place is lent to lists. */
export interface LayoutParts {
  readonly above: readonly Component[];
  readonly editor: Component;
  readonly below: readonly Component[];
}

/** The arrangement of the screen, and who has the keys. */
export class Layout {
  readonly #tui: TUI;
  readonly #paint: Paint;
  readonly #place = new SafeContainer();
  #above: readonly Component[] = [];
  #editor: Component | undefined;

  constructor(tui: TUI, paint: Paint) {
    this.#tui = tui;
    this.#paint = paint;
    this.#mount([this.#place]);
  }

  /** Leaves the conversation alone on the screen, for the shell to go on below it. */
  leave(): void {
    this.#mount(this.#above);
    this.#tui.setFocus(null);
    this.#tui.renderNow();
  }

  show({ above, editor, below }: LayoutParts): void {
    this.#mount([...above, this.#place, ...below]);
    this.#above = above;
    this.#editor = editor;
    this.#lend(editor);
  }

  /** A list in the editor's place; the value that was chosen, or undefined. */
  pick(options: {
    readonly title: readonly string[];
    readonly choices: readonly Choice[];
    readonly selected?: string;
  }): Promise<string | undefined> {
    return new Promise((resolve) => {
      const onDone: PickerOptions["onDone"] = (value) => {
        if (this.#editor !== undefined) this.#lend(this.#editor);
        resolve(value);
      };
      this.#lend(new Picker({ ...options, paint: this.#paint, onDone }));
    });
  }

  #mount(components: readonly Component[]): void {
    const screen = new Screen();
    for (const component of components) screen.addChild(component);
    this.#tui.clear();
    this.#tui.addChild(screen);
  }

  #lend(component: Component): void {
    this.#place.clear();
    this.#place.addChild(component);
    this.#tui.setFocus(component);
    this.#tui.requestRender();
  }
}
