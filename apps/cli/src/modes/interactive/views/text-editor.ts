import { Editor, getKeybindings, type TUI } from "@earendil-works/pi-tui";
import { isIdleBackspace, keyHints, keyText, listHints } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import { editableText } from "../screen-text.ts";
import { editorTheme, type Paint } from "../theme.ts";

/** What a line break is to the editor. */
const LINE_FEED = "\n";

export interface TextEditorOptions {
  readonly tui: TUI;
  readonly title: string;
  readonly text: string;
  readonly paint: Paint;
  /** The text as it was left; undefined when it was given up. */
  readonly onDone: (text: string | undefined) => void;
}

/** A text of many lines to change in place of the editor: Enter is a new line, another key takes it. */
export class TextEditor extends Editor {
  readonly #options: TextEditorOptions;

  constructor(options: TextEditorOptions) {
    super(options.tui, editorTheme(options.paint), { paddingX: 1 });
    this.#options = options;
    this.setText(editableText(options.text));
  }

  override render(width: number): string[] {
    const { title, paint } = this.#options;
    const hint = keyHints([keyText("view.take"), "takes it"], listHints.leave("gives it up"));
    return ["", clipLine(title, width), ...super.render(width), clipLine(paint("dim", hint), width)];
  }

  override handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "view.take")) this.#options.onDone(this.getExpandedText());
    else if (keys.matches(data, "tui.select.cancel")) this.#options.onDone(undefined);
    else if (keys.matches(data, "tui.input.submit")) super.handleInput(LINE_FEED);
    else if (!isIdleBackspace(data)) super.handleInput(data);
  }
}
