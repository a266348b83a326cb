import type { SessionOutcome } from "./run-session.ts";
import { type Score, scoresOf } from "./score.ts";

export interface AgentOutcome {
  readonly agent: string;
  /** Those that were lived through to their end. */
  readonly sessions: readonly SessionOutcome[];
  /** Why there are no more of them; absent where all are there. */
  readonly failure?: string;
}

const LABELS: Readonly<Record<Score["row"], string>> = {
  artifact: "changed files",
  continuation: "open work",
  decision: "decisions and rules",
  recall: "values",
  superseded: "superseded, shown as such",
};
const HEAD = [
  "agent",
  "facts",
  "total",
  "in context",
  "one recall away",
  "lost",
  "as if in force",
  "reached",
  "needed",
];

/** A Markdown table of what was found again, a row for each agent and kind of fact, and a line on how it came about. */
export function reportOf(outcomes: readonly AgentOutcome[]): string {
  const judged = outcomes.filter(({ sessions }) => sessions.length > 0);
  const rows = judged.flatMap(({ agent, sessions }) =>
    scoresOf(sessions).map(({ row, total, counts, reached, needed }) => [
      agent,
      LABELS[row],
      `${total}`,
      `${counts["in-context"]}`,
      `${counts["by-recall"]}`,
      `${counts.lost}`,
      `${counts.bare}`,
      percent(reached),
      percent(needed),
    ]),
  );
  const notes = judged.map(
    ({ agent, sessions }) =>
      `${agent}: ${sessions.length} sessions, ${listed(sessions, "compactions")} compactions, ${listed(sessions, "fillerTurns")} turns of filler, ${listed(sessions, "refused")} refused requests.`,
  );
  const failures = outcomes.flatMap(({ agent, sessions, failure }) =>
    failure === undefined ? [] : [`${agent}: failed in session ${sessions.length + 1}: ${failure}`],
  );
  return `${table([HEAD, ...rows])}\n\n${[...notes, ...failures].join("\n")}\n`;
}

function listed(
  sessions: readonly SessionOutcome[],
  field: "compactions" | "fillerTurns" | "refused",
): string {
  return sessions.map((session) => session[field]).join(" + ");
}

const percent = (share: number) => `${(share * 100).toFixed(share === 1 ? 0 : 1)} %`;

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
