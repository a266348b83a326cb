import type { ScriptedBlock, WireAnswer, WireRequest, WireTurn } from "@coppice/ai/testing";
import { scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import type { EvalStep, EvalTurn } from "./plan.ts";
import { summaryOf } from "./summariser.ts";

/**
 * The model of an evaluation: does the steps of the turn in hand, and summarises when it is asked to.
 *
 * It looks only at what every agent sends, so that any agent can be run with it. One at a time.
 */
export class EvalScript {
  #turn: EvalTurn = { prompt: "", steps: [], answer: "" };
  #stepsDone = 0;
  #lastView: readonly string[] = [];
  #summaries = 0;
  readonly #facts: readonly string[];
  readonly #seed: number;

  constructor(options: { readonly facts: readonly string[]; readonly seed: number }) {
    this.#facts = options.facts;
    this.#seed = options.seed;
  }

  /** Requests for a summary that were answered. */
  get summaries(): number {
    return this.#summaries;
  }

  /** What stood in the last request that was none for a summary, message by message, oldest first. */
  get lastView(): readonly string[] {
    return this.#lastView;
  }

  begin(turn: EvalTurn): void {
    this.#turn = turn;
    this.#stepsDone = 0;
  }

  readonly answer = (request: WireRequest): WireAnswer => {
    const texts = request.turns.map(textOf);
    if (this.#isForSummary(request)) {
      this.#summaries++;
      const seed = this.#seed + this.#summaries;
      return { content: [scriptedText(summaryOf({ text: texts.join("\n\n"), facts: this.#facts, seed }))] };
    }
    this.#lastView = texts;
    const step = this.#turn.steps[this.#stepsDone];
    this.#stepsDone++;
    return { content: [step === undefined ? scriptedText(this.#turn.answer) : callOf(step)] };
  };

  /** Work ends in a result or in what the user just said; all else comes from the agent itself. */
  #isForSummary({ tools, turns }: WireRequest): boolean {
    const last = turns.at(-1);
    if (tools.length === 0) return true;
    return last?.role !== "tool" && !last?.text.trimEnd().endsWith(this.#turn.prompt);
  }
}

function textOf({ text, calls }: WireTurn): string {
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)].join("\n");
}

function callOf(step: EvalStep): ScriptedBlock {
  const { tool, ...given } = step;
  return scriptedToolCall(tool, given);
}
