import { type AutocompleteProvider, Editor, getKeybindings, type TUI } from "@earendil-works/pi-tui";
import { isIdleBackspace } from "../keymap.ts";
import { withImageMention } from "../pasted-image.ts";
import { editableText } from "../screen-text.ts";
import { editorTheme, type Paint } from "../theme.ts";
import { type CompletionOffer, isOfferFor, isWholeCommand, watchOffers } from "./completion-offer.ts";

const ESCAPE = "\u001b";

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
  #offer: CompletionOffer | undefined;

  constructor({ tui, paint, ...listener }: PromptEditorOptions) {
    super(tui, editorTheme(paint), { paddingX: 1, autocompleteMaxVisible: 8 });
    this.connect(listener);
  }

  /** Hands the editor with what is written in it over to another listener. */
  connect({ onKey, onSubmit }: EditorListener): void {
    this.#onKey = onKey;
    this.onSubmit = onSubmit;
  }

  override setAutocompleteProvider(provider: AutocompleteProvider): void {
    super.setAutocompleteProvider(
      watchOffers(provider, (offer) => {
        this.#offer = offer;
      }),
    );
  }

  override handleInput(data: string): void {
    if (this.#onKey(data) || isIdleBackspace(data)) return;
    if (this.isShowingAutocomplete() && this.#isMenuInTheWay(data)) super.handleInput(ESCAPE);
    super.handleInput(withImageMention(data));
  }

  /** A completion made for another text would corrupt this one; a whole command wants none. */
  #isMenuInTheWay(data: string): boolean {
    const keys = getKeybindings();
    const isConfirming = keys.matches(data, "tui.select.confirm");
    if (!isConfirming && !keys.matches(data, "tui.input.tab")) return false;
    const text = this.getText();
    const isStale = !isOfferFor(this.#offer, text, this.getCursor());
    return isStale || (isConfirming && isWholeCommand(this.#offer, text));
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
    this.setText(editableText([...texts, ...(own.trim() === "" ? [] : [own])].join("\n\n")));
  }
}
