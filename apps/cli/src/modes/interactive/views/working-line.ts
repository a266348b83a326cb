import { durationText } from "../../../render/units.ts";
import { keyText } from "../keymap.ts";
import type { Paint } from "../theme.ts";
import { View } from "./view.ts";

const FRAMES = ["◐", "◓", "◑", "◒"] as const;

/** Time between two frames: visible life at little cost. */
const FRAME_MS = 200;

export interface WorkingLineOptions {
  readonly paint: Paint;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly requestRender: () => void;
}

/** The line above the editor while the agent works: what it does, for how long, and what Esc does. */
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
    this.#timer = setInterval(() => this.#tick(), FRAME_MS).unref();
  }

  hide(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.changed();
  }

  protected override draw(): readonly string[] {
    if (this.#timer === undefined) return [];
    const { paint, now } = this.#options;
    const elapsedMs = now() - this.#startedMs;
    return ["", workingLine({ label: this.#label, elapsedMs, frame: this.#frame }, paint)];
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
  readonly frame: number;
}

function workingLine({ label, elapsedMs, frame }: WorkingState, paint: Paint): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const elapsed = seconds < 60 ? `${seconds} s` : durationText(elapsedMs);
  const mark = paint("accent", FRAMES[frame % FRAMES.length] ?? "");
  return `${mark} ${label} ${paint("dim", `(${elapsed} · ${keyText("app.interrupt")} to interrupt)`)}`;
}
