import type { AgentMessage } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { clipToTokens } from "./clip-text.ts";
import { scriptEstimator, type TokenEstimator } from "./estimate-text.ts";
import { codeBlockOf } from "./summary-sections.ts";

export interface NewestRequestInput {
  /** What is summarised and what stays, when the cut splits a turn. */
  readonly summarised: readonly AgentMessage[];
  readonly kept: readonly AgentMessage[];
  readonly previousSummary: string | undefined;
  readonly maxTokens: number;
  readonly estimator: TokenEstimator | undefined;
}

/**
 * What the user asked for in the turn that goes on behind the cut, word for word unless it is longer than `maxTokens`.
 *
 * Where it was summarised before, it is what that summary quotes. Undefined when the kept part begins another turn.
 */
export function newestRequestOf(input: NewestRequestInput): string | undefined {
  const { summarised, kept, previousSummary, maxTokens, estimator = scriptEstimator } = input;
  if (hasLaterTurn(kept)) return undefined;
  const finished = summarised.findLastIndex(isFinishedAnswer);
  const spoken = summarised
    .slice(finished + 1)
    .flatMap((message) => (message.role === "user" ? [textOf(message.content).trim()] : []));
  const carried = finished === -1 ? codeBlockOf(previousSummary ?? "", "newest-request") : undefined;
  const request = [carried ?? "", ...spoken].filter((text) => text !== "").join("\n\n");
  return request === "" ? undefined : clipToTokens(request, maxTokens, estimator);
}

/** True when the kept part holds the end of the split turn and the beginning of another. */
function hasLaterTurn(kept: readonly AgentMessage[]): boolean {
  const finished = kept.findIndex(isFinishedAnswer);
  return finished !== -1 && kept.slice(finished).some(({ role }) => role === "user");
}

function isFinishedAnswer(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "stop";
}
