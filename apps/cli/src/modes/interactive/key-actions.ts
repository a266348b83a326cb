import { type AppAction, actionOf, keyText } from "./keymap.ts";
import type { Prompting } from "./prompting.ts";
import type { PromptEditor } from "./views/prompt-editor.ts";
import type { TranscriptView } from "./views/transcript-view.ts";

/** A second Ctrl+C within this time quits, if no other key comes between. */
const QUIT_WINDOW_MS = 2_000;

export interface KeyActionsOptions {
  readonly views: {
    readonly transcript: Pick<TranscriptView, "toggleExpanded" | "toggleThinking">;
    readonly editor: PromptEditor;
  };
  readonly prompting: Pick<Prompting, "interrupt" | "retract">;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly submitFollowUp: (text: string) => void;
  readonly quit: () => void;
  readonly suspend: () => void;
  /** Opens the prompt in a program of the person's; absent until the agent is there. */
  readonly editOutside?: () => void;
  /** Attaches the image of the clipboard; absent until the agent is there. */
  readonly pasteImage?: () => void;
  /** Shows what holds for a moment, in place of what was shown before; undefined: nothing does. */
  readonly hint: (text: string | undefined) => void;
}

/** What the keys of the application do. */
export class KeyActions {
  readonly #options: KeyActionsOptions;
  #lastClearMs = Number.NEGATIVE_INFINITY;
  #expiry: ReturnType<typeof setTimeout> | undefined;

  constructor(options: KeyActionsOptions) {
    this.#options = options;
  }

  /** True when the key was for the application. */
  handle(data: string): boolean {
    const action = actionOf(data);
    // "Again" means the very next key.
    if (action !== "app.clear") this.#forgetClear();
    // An open completion menu is closed first.
    const isForMenu = action === "app.interrupt" && this.#options.views.editor.isShowingAutocomplete();
    return action === undefined || isForMenu ? false : this.#act(action);
  }

  #act(action: AppAction): boolean {
    const { prompting, quit, submitFollowUp, suspend, editOutside, pasteImage } = this.#options;
    const { transcript, editor } = this.#options.views;
    switch (action) {
      case "app.interrupt":
        return prompting.interrupt();
      case "app.followUp":
        submitFollowUp(editor.take());
        return true;
      case "app.retract":
        return prompting.retract();
      case "app.expand":
        transcript.toggleExpanded();
        return true;
      case "app.thinking":
        transcript.toggleThinking();
        return true;
      case "app.clear":
        this.#clearOrQuit();
        return true;
      case "app.quit":
        if (editor.getText() !== "") return false;
        quit();
        return true;
      case "app.suspend":
        suspend();
        return true;
      case "app.externalEditor":
        editOutside?.();
        return true;
      case "app.pasteImage":
        pasteImage?.();
        return true;
    }
  }

  #clearOrQuit(): void {
    const { now, quit, hint, views } = this.#options;
    const isAgain = now() - this.#lastClearMs <= QUIT_WINDOW_MS;
    this.#forgetClear();
    if (isAgain) return void quit();
    this.#lastClearMs = now();
    this.#expiry = setTimeout(() => this.#forgetClear(), QUIT_WINDOW_MS).unref();
    views.editor.setText("");
    hint(`${keyText("app.clear")} again quits.`);
  }

  #forgetClear(): void {
    if (this.#lastClearMs === Number.NEGATIVE_INFINITY) return;
    this.#lastClearMs = Number.NEGATIVE_INFINITY;
    clearTimeout(this.#expiry);
    this.#options.hint(undefined);
  }
}
