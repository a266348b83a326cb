// The benchmark of `coppice eval`, for programs

// Who lives it through
export { coppiceSubject } from "./coppice-subject.ts";
export { FACT_KINDS, type Fact, type FactKind } from "./fact.ts";
// What is lived through
export { createPlan } from "./grammar.ts";
export { piSubject } from "./pi-subject.ts";
export type { EvalPlan, EvalStep, EvalTurn } from "./plan.ts";
export { type AgentOutcome, reportOf } from "./report.ts";
export { type EvalOptions, runEval } from "./run-eval.ts";
export type { SessionOutcome } from "./run-session.ts";
export { passes, type Score, type ScoreRow, scoresOf } from "./score.ts";
export {
  EVAL_API,
  EVAL_OUTPUT_TOKENS,
  EVAL_WINDOW_TOKENS,
  type Subject,
  type SubjectKind,
  type SubjectRun,
} from "./subject.ts";
// What is left of it
export { type FactVerdict, judge, type Recall, type Verdict } from "./verdict.ts";
