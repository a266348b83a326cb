import { createSignatures } from "../anthropic-messages/signatures.ts";

/** What the server remembers of its own items, to check them when they come back. */
export interface IssuedItems {
  /** The encrypted form of a reasoning text. */
  encrypt(thinking: string): string;
  isEncryption(content: string): boolean;
  /** Notes that an item was made right after a reasoning item, which it cannot be replayed without. */
  follows(itemId: string, reasoningId: string): void;
  reasoningOf(itemId: string): string | undefined;
}

/** Servers of one seed take each other's encrypted reasoning; the order of items is known to one server only. */
export function createIssuedItems(seed: string): IssuedItems {
  const signatures = createSignatures(`responses/${seed}`);
  const reasoningOf = new Map<string, string>();
  return {
    encrypt: signatures.sign,
    isEncryption: signatures.isIssued,
    follows: (itemId, reasoningId) => void reasoningOf.set(itemId, reasoningId),
    reasoningOf: (itemId) => reasoningOf.get(itemId),
  };
}
