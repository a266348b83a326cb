import { visibleWidth } from "@earendil-works/pi-tui";
import { elapsedText, writtenTokensText } from "../../../render/units.ts";
import { keyHints, keyText } from "../keymap.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import type { RunSpending, Spending } from "./run-spending.ts";
import { View } from "./view.ts";

const FRAMES = ["◐", "◓", "◑", "◒"] as const;

/** Time between two frames: visible life at little cost. */
const FRAME_MS = 200;

export interface WorkingLineOptions {
  readonly paint: Paint;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly requestRender: () => void;
  /** Cleared when something begins. */
  readonly spending: Pick<RunSpending, "clear" | "now">;
}

/** The line above the editor while the agent works: what it does, for how long, what it spent, and what Esc does. */
export class WorkingLine extends View {
  readonly #options: WorkingLineOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #startedMs = 0;
  #label = "";
  #frame = 0;

  constructor(options: WorkingLineOptions) {
    super();
    this.#options = options;
  }

  /** Begins to count, or goes on counting under another label. */
  show(label: string): void {
    this.#label = label;
    this.changed();
    if (this.#timer !== undefined) return;
    this.#startedMs = this.#options.now();
    this.#options.spending.clear();
    this.#timer = setInterval(() => this.#tick(), FRAME_MS).unref();
  }

  hide(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    if (this.#timer === undefined) return [];
    const { paint, now, spending } = this.#options;
    const state = { label: this.#label, elapsedMs: now() - this.#startedMs, spent: spending.now() };
    return ["", clipLine(workingLine({ ...state, frame: this.#frame }, width, paint), width)];
  }

  #tick(): void {
    this.#frame++;
    this.changed();
    this.#options.requestRender();
  }
}

interface WorkingState {
  readonly label: string;
  readonly elapsedMs: number;
  readonly spent: Spending | undefined;
  readonly frame: number;
}

/** Where it is narrow, the cost goes first, then the tokens. */
function workingLine({ label, elapsedMs, spent, frame }: WorkingState, width: number, paint: Paint): string {
  const mark = paint("accent", FRAMES[frame % FRAMES.length] ?? "");
  const keys = keyHints([keyText("app.interrupt"), "to interrupt"]);
  const told = spentTexts(spent);
  const texts = [told, told.slice(0, 1), []].map((shown) =>
    [elapsedText(elapsedMs), ...shown, keys].filter((text) => text !== "").join(" · "),
  );
  const fits = (text: string) => visibleWidth(`${mark} ${label} (${text})`) <= width;
  return `${mark} ${label} ${paint("dim", `(${texts.find(fits) ?? texts.at(-1)})`)}`;
}

/** Tokens, then the cost. */
function spentTexts(spent: Spending | undefined): readonly string[] {
  if (spent === undefined) return [];
  const { outputTokens, isEstimate, costUsd } = spent;
  const tokens = `${isEstimate ? "~" : ""}${writtenTokensText(outputTokens)} tokens`;
  return costUsd === undefined ? [tokens] : [tokens, `$${costUsd.toFixed(3)}`];
}
