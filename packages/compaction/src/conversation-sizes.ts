import type { AgentMessage } from "@coppice/agent";
import type { TokenEstimator } from "./estimate-text.ts";

/** Estimates of a conversation's messages, in their order. */
export interface ConversationSizes {
  readonly sizes: ArrayLike<number>;
  readonly total: number;
}

interface Known extends ConversationSizes {
  readonly messages: readonly AgentMessage[];
}

/** The last sizes of each conversation, found by its first message. */
const known = new WeakMap<TokenEstimator, WeakMap<AgentMessage, Known>>();

const NOTHING: Known = { messages: [], sizes: [], total: 0 };

/**
 * Sizes of a whole conversation; only messages that were not in it last time are measured.
 *
 * A host asks before every request. Of ten thousand messages, remembering each one costs more than measuring it, and
 * far more than comparing two lists. `messages` are never changed in place; the list itself may grow.
 */
export function conversationSizes(
  messages: readonly AgentMessage[],
  estimator: TokenEstimator,
  sizeOf: (message: AgentMessage, estimator: TokenEstimator) => number,
): ConversationSizes {
  const [first] = messages;
  if (first === undefined) return NOTHING;
  const bySession = known.get(estimator) ?? new WeakMap<AgentMessage, Known>();
  known.set(estimator, bySession);
  const last = bySession.get(first) ?? NOTHING;
  if (isSame(messages, last.messages)) return last;
  const made = sizesAfter(last, messages, (message) => sizeOf(message, estimator));
  bySession.set(first, made);
  return made;
}

/** The sizes of a conversation in which nothing has changed since the last time; undefined otherwise. */
export function unchangedSizes(
  messages: readonly AgentMessage[],
  estimator: TokenEstimator,
): ConversationSizes | undefined {
  const [first] = messages;
  const last = first && known.get(estimator)?.get(first);
  return last !== undefined && isSame(messages, last.messages) ? last : undefined;
}

function isSame(messages: readonly AgentMessage[], earlier: readonly AgentMessage[]): boolean {
  if (messages.length !== earlier.length) return false;
  for (let index = messages.length - 1; index >= 0; index--) {
    if (messages[index] !== earlier[index]) return false;
  }
  return true;
}

/** Both lists are walked side by side, so that one message put in, taken out or replaced leaves the others known. */
function sizesAfter(
  last: Known,
  messages: readonly AgentMessage[],
  sizeOf: (message: AgentMessage) => number,
): Known {
  const sizes = new Float64Array(messages.length);
  let total = 0;
  let at = 0;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as AgentMessage;
    if (last.messages[at] !== message && last.messages[at + 1] === message) at++;
    const isKnown = last.messages[at] === message;
    const size = isKnown ? (last.sizes[at] as number) : sizeOf(message);
    sizes[index] = size;
    total += size;
    const isPutIn = !isKnown && messages[index + 1] === last.messages[at];
    if (!isPutIn) at++;
  }
  return { messages: [...messages], sizes, total };
}
