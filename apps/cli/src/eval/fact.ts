/**
 * What a session says once and must not lose.
 *
 * `recall`: a value out of a file, a command's output or the user's mouth. `artifact`: a file that was changed.
 * `continuation`: work that is still open. `decision`: something settled, a rule or a choice.
 */
export type FactKind = "recall" | "artifact" | "continuation" | "decision";

export const FACT_KINDS: readonly FactKind[] = ["artifact", "continuation", "decision", "recall"];

export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  /** The words that must be found again, exactly as the session held them. */
  readonly text: string;
  /** What somebody who knows the subject, but not the answer, would search for. */
  readonly question: string;
  /** The fact that put an end to this one; its text names both. Who asks for an ended one believes that it holds. */
  readonly supersededBy?: string;
}
