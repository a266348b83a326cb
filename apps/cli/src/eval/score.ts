import { FACT_KINDS, type FactKind } from "./fact.ts";
import type { SessionOutcome } from "./run-session.ts";
import type { FactVerdict, Verdict } from "./verdict.ts";

/** What is counted: a kind of fact, or the facts that were put an end to. */
export type ScoreRow = FactKind | "superseded";

export interface Score {
  readonly row: ScoreRow;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly total: number;
  /** Share that is in the context or one recall away, and not as if it still held where it does not, 0 to 1. */
  readonly reached: number;
  /** Smallest share that passes. */
  readonly needed: number;
}

const NEEDED: Readonly<Record<ScoreRow, number>> = {
  artifact: 1,
  continuation: 0.95,
  decision: 0.95,
  recall: 0.95,
  superseded: 1,
};
const SCORE_ROWS: readonly ScoreRow[] = [...FACT_KINDS, "superseded"];

/** The facts of all sessions of one agent, counted by kind; superseded ones have a row of their own. */
export function scoresOf(sessions: readonly SessionOutcome[]): readonly Score[] {
  const verdicts = sessions.flatMap((session) => session.verdicts);
  return SCORE_ROWS.map((row) => {
    const own = verdicts.filter((verdict) => rowOf(verdict) === row);
    const count = (wanted: Verdict) => own.filter(({ verdict }) => verdict === wanted).length;
    const counts = {
      "in-context": count("in-context"),
      "by-recall": count("by-recall"),
      lost: count("lost"),
      bare: count("bare"),
    };
    const reached = own.length === 0 ? 1 : 1 - (counts.lost + counts.bare) / own.length;
    return { row, counts, total: own.length, reached, needed: NEEDED[row] };
  });
}

/** Whether every kind reached what it needs, every session was compacted, and no request was refused. */
export function passes(
  sessions: readonly SessionOutcome[],
  options: { readonly compactions: number },
): boolean {
  return (
    scoresOf(sessions).every(({ reached, needed }) => reached >= needed) &&
    sessions.every(({ compactions, refused }) => compactions >= options.compactions && refused === 0)
  );
}

function rowOf({ fact }: FactVerdict): ScoreRow {
  return fact.supersededBy === undefined ? fact.kind : "superseded";
}
