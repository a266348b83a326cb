import { ToolError } from "../tool-error.ts";
import { type HandleSource, type Recalled, recallByHandle } from "./by-handle.ts";
import { type QuerySource, recallByQuery } from "./by-query.ts";

/** Where originals come from; a `Session` is one. */
export type RecallSource = HandleSource & QuerySource;

/** What is asked for: exactly one of handle and query. */
export interface RecallQuestion {
  readonly handle?: string | undefined;
  readonly query?: string | undefined;
  /** Default 4,000; at least 200, at most 12,000 are taken. */
  readonly budgetTokens?: number | undefined;
}

const DEFAULT_BUDGET_TOKENS = 4000;
const LEAST_BUDGET_TOKENS = 200;
const MOST_BUDGET_TOKENS = 12_000;

/** The originals by handle or by search, within the budget. Throws `ToolError`. */
export async function recallOriginals(
  source: RecallSource,
  { handle = "", query = "", budgetTokens = DEFAULT_BUDGET_TOKENS }: RecallQuestion,
): Promise<Recalled> {
  const tokens = Math.min(Math.max(budgetTokens, LEAST_BUDGET_TOKENS), MOST_BUDGET_TOKENS);
  if ((handle.trim() === "") === (query.trim() === "")) {
    throw new ToolError("Give either a handle or a query.");
  }
  return query.trim() === "" ? recallByHandle(source, handle, tokens) : recallByQuery(source, query, tokens);
}
