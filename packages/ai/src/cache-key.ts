import { hashOf } from "./hash.ts";

/** The longest cache key that OpenAI takes. */
const MAX_KEY_CHARS = 64;

/**
 * A cache key of at most 64 characters for a session id: the id itself where it fits, else its beginning and a hash of
 * the whole, so that ids with the same beginning stay apart.
 */
export function cacheKey(sessionId: string): string {
  if (sessionId.length <= MAX_KEY_CHARS) return sessionId;
  const hash = hashOf(sessionId);
  return `${sessionId.slice(0, MAX_KEY_CHARS - hash.length - 1)}-${hash}`;
}
