import type { AgentTool } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { textResult } from "../tool-error.ts";
import { RECALL_DESCRIPTION } from "./description.ts";
import { RECALL_TOOL_NAME } from "./entry-quote.ts";
import { type RecallSource, recallOriginals } from "./recall-originals.ts";

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
  readonly session: RecallSource;
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
    async execute(_toolCallId, { handle, query, budget }: RecallParameters) {
      const { text, ...details } = await recallOriginals(session, { handle, query, budgetTokens: budget });
      return textResult(text, details);
    },
  };
}
