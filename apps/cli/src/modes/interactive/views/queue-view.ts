import type { AgentMessage } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { inertLine } from "../../../render/terminal-text.ts";
import { clipLine } from "../screen.ts";
import type { Paint } from "../theme.ts";
import { View } from "./view.ts";

const MAX_SHOWN = 5;
const MAX_CHARACTERS = 400;

/** What waits to be sent, above the editor. */
export interface QueueState {
  readonly steering: readonly AgentMessage[];
  readonly followUp: readonly AgentMessage[];
}

export class QueueView extends View {
  readonly #paint: Paint;
  #state: QueueState = { steering: [], followUp: [] };
  #held: readonly string[] = [];

  constructor(paint: Paint) {
    super();
    this.#paint = paint;
  }

  get size(): number {
    return this.#state.steering.length + this.#state.followUp.length + this.#held.length;
  }

  update(state: QueueState): void {
    this.#state = state;
    this.changed();
  }

  /** Shows texts that are not with the agent yet; they go out as soon as nothing stops any more. */
  hold(texts: readonly string[]): void {
    this.#held = texts;
    this.changed();
  }

  protected override draw(width: number): readonly string[] {
    return queueLines({ ...this.#state, held: this.#held }, width, this.#paint);
  }
}

export function queueLines(
  { steering, followUp, held = [] }: QueueState & { readonly held?: readonly string[] },
  width: number,
  paint: Paint,
): readonly string[] {
  const lines = [
    ...steering.map((message) => `→ ${queuedText(message)}`),
    ...followUp.map((message) => `↳ ${queuedText(message)}`),
    ...held.map((text) => `→ ${inertLine(text, MAX_CHARACTERS)}`),
  ];
  if (lines.length === 0) return [];
  const hidden = lines.length - MAX_SHOWN;
  const shown = hidden > 0 ? [...lines.slice(0, MAX_SHOWN), `… ${hidden} more`] : lines;
  return ["", ...shown.map((line) => paint("dim", clipLine(line, width)))];
}

function queuedText(message: AgentMessage): string {
  const text = message.role === "user" || message.role === "custom" ? textOf(message.content) : message.role;
  return inertLine(text, MAX_CHARACTERS);
}
