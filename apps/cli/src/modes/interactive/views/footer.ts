import type { ContextUsage } from "@coppice/coding-agent";
import { visibleWidth } from "@earendil-works/pi-tui";
import { inertLine } from "../../../render/terminal-text.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { contextMeter } from "./context-meter.ts";
import { View } from "./view.ts";

const METER_COLUMNS = 20;
const NARROW_METER_COLUMNS = 8;
const NARROW_COLUMNS = 70;
const MAX_CHARACTERS = 200;

/** What the two lines under the editor say. */
export interface FooterState {
  /** Home already shortened to `~`. */
  readonly directory: string;
  readonly branch: string | undefined;
  /** The session's name, else its id. */
  readonly session: string;
  readonly model: string;
  readonly thinkingLevel: string;
  /** Undefined until it has been measured. */
  readonly usage: ContextUsage | undefined;
  /** USD; undefined until it has been counted. */
  readonly costUsd: number | undefined;
  readonly queued: number;
}

export class Footer extends View {
  readonly #paint: Paint;
  #state: FooterState;

  constructor(state: FooterState, paint: Paint) {
    super();
    this.#state = state;
    this.#paint = paint;
  }

  update(change: Partial<FooterState>): void {
    this.#state = { ...this.#state, ...change };
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    return footerLines(this.#state, width, this.#paint);
  }
}

/** Where one is, then how the model stands; on narrow terminals the right side goes first. */
export function footerLines(state: FooterState, width: number, paint: Paint): readonly string[] {
  const branch = state.branch === undefined ? "" : ` (${inertLine(state.branch, MAX_CHARACTERS)})`;
  const place = `${inertLine(state.directory, MAX_CHARACTERS)}${branch}`;
  const session = inertLine(state.session, MAX_CHARACTERS);
  const thinking = state.thinkingLevel === "off" ? "" : ` ${state.thinkingLevel}`;
  const model = `${inertLine(state.model, MAX_CHARACTERS)}${thinking}`;
  const cost = state.costUsd === undefined ? [] : [`$${state.costUsd.toFixed(state.costUsd < 1 ? 3 : 2)}`];
  const queued = state.queued === 0 ? [] : [`${state.queued} queued`];
  const columns = width < NARROW_COLUMNS ? NARROW_METER_COLUMNS : METER_COLUMNS;
  const meter = state.usage === undefined ? "" : contextMeter(state.usage, columns, paint);
  const facts = paint("dim", [model, ...cost, ...queued].join(" · "));
  return [
    spread(paint("dim", place), paint("dim", session), width),
    meter === "" ? clipLine(facts, width) : spread(meter, facts, width),
  ];
}

/** Two texts at both ends of a line; the right one is clipped, or left out where nothing of it would be readable. */
function spread(left: string, right: string, width: number): string {
  const space = width - visibleWidth(left) - 2;
  const shown = space < 4 ? "" : clipLine(right, space);
  if (shown === "") return clipLine(left, width);
  return left + " ".repeat(width - visibleWidth(left) - visibleWidth(shown)) + shown;
}
