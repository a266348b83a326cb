import type { AgentMessage } from "@coppice/agent";
import type { TokenEstimator } from "./estimate-text.ts";

interface KnownSum {
  readonly messages: readonly AgentMessage[];
  readonly tokens: number;
}

/** The last sum of each conversation, found by its first message. */
const sums = new WeakMap<TokenEstimator, WeakMap<AgentMessage, KnownSum>>();

/**
 * Sum of the sizes of a conversation; where it begins as it did last time, only what came since is added.
 *
 * A host asks before every request, and looking up ten thousand messages costs more than comparing them.
 */
export function sumTokens(
  messages: readonly AgentMessage[],
  estimator: TokenEstimator,
  sizeOf: (message: AgentMessage, estimator: TokenEstimator) => number,
): number {
  const [first] = messages;
  if (first === undefined) return 0;
  const bySession = sums.get(estimator) ?? new WeakMap<AgentMessage, KnownSum>();
  sums.set(estimator, bySession);
  const known = bySession.get(first);
  const goesOn = known !== undefined && beginsWith(messages, known.messages);
  let tokens = goesOn ? known.tokens : 0;
  const from = goesOn ? known.messages.length : 0;
  if (from === messages.length) return tokens;
  for (let index = from; index < messages.length; index++) {
    const message = messages[index];
    if (message !== undefined) tokens += sizeOf(message, estimator);
  }
  bySession.set(first, { messages: [...messages], tokens });
  return tokens;
}

function beginsWith(messages: readonly AgentMessage[], beginning: readonly AgentMessage[]): boolean {
  if (beginning.length > messages.length) return false;
  for (let index = beginning.length - 1; index >= 0; index--) {
    if (messages[index] !== beginning[index]) return false;
  }
  return true;
}
