import type { Fact } from "./fact.ts";

/** A tool call of the scripted model, in the terms that agents for code share. */
export type EvalStep =
  | { readonly tool: "read"; readonly path: string }
  | { readonly tool: "write"; readonly path: string; readonly content: string }
  | { readonly tool: "bash"; readonly command: string };

/** What the user says, what the model then does, and its last words. */
export interface EvalTurn {
  readonly prompt: string;
  readonly steps: readonly EvalStep[];
  readonly answer: string;
}

/** One session to be lived through: the files it starts with, the turns that hold facts, and what is asked afterwards. */
export interface EvalPlan {
  readonly seed: number;
  /** Path relative to the project → content. */
  readonly files: Readonly<Record<string, string>>;
  readonly turns: readonly EvalTurn[];
  /** Work without facts that fills the window, for as long as it takes to be compacted. */
  readonly filler: (index: number) => EvalTurn;
  readonly facts: readonly Fact[];
}
