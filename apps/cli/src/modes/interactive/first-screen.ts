import type { TUI } from "@earendil-works/pi-tui";
import { KeyActions } from "./key-actions.ts";
import type { Layout } from "./layout.ts";
import { SafeContainer } from "./safe-container.ts";
import type { Paint } from "./theme.ts";
import { Footer } from "./views/footer.ts";
import { PromptEditor } from "./views/prompt-editor.ts";
import { TextView } from "./views/text-view.ts";

export interface FirstScreenOptions {
  readonly tui: TUI;
  readonly layout: Layout;
  readonly paint: Paint;
  /** The working directory, for people. */
  readonly directory: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly suspend: () => void;
}

/**
 * What a person sees and uses while the agent is still being loaded: the editor and the footer, which stay, and the
 * lines that were sent too early, which are kept until somebody takes them.
 */
export class FirstScreen {
  readonly editor: PromptEditor;
  readonly footer: Footer;
  readonly #above = new SafeContainer();
  readonly #options: FirstScreenOptions;
  readonly #left = Promise.withResolvers<void>();
  #lines: string[] = [];
  #waiting: string | undefined;

  constructor(options: FirstScreenOptions) {
    this.#options = options;
    const { tui, paint, layout, directory } = options;
    this.editor = new PromptEditor({
      ...{ tui, paint },
      onKey: (data) => keys.handle(data),
      onSubmit: (text) => this.#keep(text.trim()),
    });
    const keys = new KeyActions({
      views: { transcript: { toggleExpanded: () => {}, toggleThinking: () => {} }, editor: this.editor },
      prompting: { interrupt: () => false, retract: () => this.#retract() },
      ...{ now: options.now, suspend: options.suspend },
      submitFollowUp: (text) => this.#keep(text),
      quit: () => this.#left.resolve(),
      hint: (text) => this.#show(text),
    });
    this.footer = new Footer(
      {
        ...{ directory, branch: undefined, session: "", model: "", thinkingLevel: "off" },
        ...{ usage: undefined, costUsd: undefined, queued: 0 },
      },
      paint,
    );
    layout.show({ above: [this.#above], editor: this.editor, below: [this.footer] });
  }

  /** Resolves when the person leaves before the agent is there. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  /** The lines that were sent so far, oldest first; they are kept no longer. */
  takeLines(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** What the agent that is being made waits for; undefined: nothing. */
  showWaiting(text: string | undefined): void {
    this.#waiting = text;
    this.#show();
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#lines.push(text);
    this.#show();
  }

  #retract(): boolean {
    const lines = this.takeLines();
    if (lines.length > 0) this.editor.prepend(lines);
    this.#show();
    return lines.length > 0;
  }

  #show(hint?: string): void {
    this.#above.clear();
    if (this.#waiting !== undefined) this.#note(this.#waiting);
    for (const line of this.#lines) this.#note(`› ${line}`);
    if (hint !== undefined) this.#note(hint);
    this.#options.tui.requestRender();
  }

  #note(text: string): void {
    this.#above.addChild(new TextView({ text, tone: "dim", paint: this.#options.paint }));
  }
}
