import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { ToolError, textResult } from "../tool-error.ts";
import { type HandleSource, recallByHandle } from "./by-handle.ts";
import { type QuerySource, recallByQuery } from "./by-query.ts";
import { RECALL_DESCRIPTION } from "./description.ts";
import { RECALL_TOOL_NAME } from "./entry-quote.ts";

const DEFAULT_BUDGET_TOKENS = 4000;
const LEAST_BUDGET_TOKENS = 200;
const MOST_BUDGET_TOKENS = 12_000;

const parameters = Type.Object({
  handle: Type.Optional(Type.String()),
  query: Type.Optional(Type.String()),
  budget: Type.Optional(Type.Integer({ description: "Tokens" })),
});

export type RecallParameters = Static<typeof parameters>;

export interface RecallDetails {
  /** Entries of which something was shown. */
  readonly entryIds: readonly string[];
  /** Those of them that the model asked for or that fitted its query best: recalled twice, an entry is pinned. */
  readonly wantedIds: readonly string[];
}

export interface RecallToolOptions {
  readonly session: HandleSource & QuerySource;
}

/**
 * Gives the model originals back that are no longer in its context, from any branch, by handle or by search.
 *
 * It only reads the session; what it shows is bounded by the budget, and a handle leads on to the rest.
 */
export function createRecallTool({
  session,
}: RecallToolOptions): AgentTool<typeof parameters, RecallDetails> {
  return {
    name: RECALL_TOOL_NAME,
    label: "Recall",
    description: RECALL_DESCRIPTION,
    parameters,
    async execute(_toolCallId, { handle = "", query = "", budget }: RecallParameters) {
      const tokens = Math.min(
        Math.max(budget ?? DEFAULT_BUDGET_TOKENS, LEAST_BUDGET_TOKENS),
        MOST_BUDGET_TOKENS,
      );
      if ((handle.trim() === "") === (query.trim() === "")) {
        throw new ToolError("Give either a handle or a query.");
      }
      const { text, ...details } =
        query.trim() === ""
          ? await recallByHandle(session, handle, tokens)
          : await recallByQuery(session, query, tokens);
      return textResult(text, details);
    },
  };
}
