import type { WireServer } from "@coppice/ai/testing";
import type { EvalTurn } from "./plan.ts";
import type { Recall } from "./verdict.ts";

/** The model that every agent is given, in tokens; small, so that a session is compacted after minutes, not hours. */
export const EVAL_WINDOW_TOKENS = 32_000;
export const EVAL_OUTPUT_TOKENS = 4000;
export const EVAL_API = "openai-completions";

export interface SubjectRun {
  readonly server: WireServer;
  /** Absolute; the session's project and a place for everything else. Both exist. */
  readonly project: string;
  readonly scratch: string;
  /** An agent that is a program of its own ends with it. */
  readonly signal?: AbortSignal;
}

/** An agent under evaluation, in one session. */
export interface Subject extends AsyncDisposable {
  /** Resolves when the agent is done with the turn; rejects with what went wrong. */
  say(turn: EvalTurn): Promise<void>;
  /** Compactions that the session holds so far. */
  compactions(): Promise<number>;
  /** Absent for an agent that cannot look into what it no longer sees. */
  readonly recall?: Recall;
}

export interface SubjectKind {
  readonly name: string;
  /** Rejects with what is missing, and how to get it, where the agent cannot be run here. Absent = it always can. */
  check?(): Promise<void>;
  start(run: SubjectRun): Promise<Subject>;
}
