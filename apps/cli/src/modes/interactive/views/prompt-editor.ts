import { Editor, type TUI } from "@earendil-works/pi-tui";
import { screenText } from "../screen-text.ts";
import { editorTheme, type Paint } from "../theme.ts";

/** Who hears the editor. */
export interface EditorListener {
  /** Hears every key first; true = it was for the application. */
  readonly onKey: (data: string) => boolean;
  readonly onSubmit: (text: string) => void;
}

export interface PromptEditorOptions extends EditorListener {
  readonly tui: TUI;
  readonly paint: Paint;
}

/** The editor for prompts. Keys of the application never reach it. */
export class PromptEditor extends Editor {
  #onKey: EditorListener["onKey"] = () => false;

  constructor({ tui, paint, ...listener }: PromptEditorOptions) {
    super(tui, editorTheme(paint), { paddingX: 1, autocompleteMaxVisible: 8 });
    this.connect(listener);
  }

  /** Hands the editor with what is written in it over to another listener. */
  connect({ onKey, onSubmit }: EditorListener): void {
    this.#onKey = onKey;
    this.onSubmit = onSubmit;
  }

  override handleInput(data: string): void {
    if (!this.#onKey(data)) super.handleInput(data);
  }

  /** The text with pastes written out, trimmed; the editor is empty afterwards. */
  take(): string {
    const text = this.getExpandedText().trim();
    this.setText("");
    return text;
  }

  /** Puts texts before what is being written. */
  prepend(texts: readonly string[]): void {
    const own = this.getExpandedText();
    this.setText(screenText([...texts, ...(own.trim() === "" ? [] : [own])].join("\n\n")));
  }
}
