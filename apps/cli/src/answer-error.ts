import { PROVIDER_ERRORS } from "@coppice/ai";
import { CODING_AGENT_ERRORS } from "@coppice/coding-agent";
import { COMPACTION_ERRORS } from "@coppice/compaction";
import { SESSION_ERRORS } from "@coppice/session";

/** What the table of a package says about one of its errors. */
export interface AnswerErrorRow {
  readonly advice: string;
  readonly exitCode: number;
}

/** The tables whose codes a failed answer may carry: whatever kept the model from answering ends there. */
const TABLES: readonly Readonly<Record<string, AnswerErrorRow>>[] = [
  PROVIDER_ERRORS,
  CODING_AGENT_ERRORS,
  COMPACTION_ERRORS,
  SESSION_ERRORS,
];

/** The row of a failed answer's code; undefined for a code that no table has. */
export function answerErrorRow(code: string | undefined): AnswerErrorRow | undefined {
  if (code === undefined) return undefined;
  return TABLES.find((table) => Object.hasOwn(table, code))?.[code];
}
