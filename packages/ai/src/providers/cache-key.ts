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

/** A 16-digit hash of a text (FNV-1a, 64 bit): not for secrets, only to keep names apart. */
export function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
