import { clipMiddle } from "./clip-text.ts";
import type { TokenEstimator } from "./estimate-text.ts";

/** Most requests that one summary takes; a conversation longer than that is clipped until it fits them. */
export const MAX_CHUNKS = 8;

export interface ChunkOptions {
  /** Serialised messages, oldest first. */
  readonly parts: readonly string[];
  /** Tokens that one chunk may have. */
  readonly maxTokens: number;
  /** Default `MAX_CHUNKS`. */
  readonly maxChunks?: number;
  readonly estimator: TokenEstimator;
}

/**
 * The parts in at most `maxChunks` chunks of at most `maxTokens` each, order kept.
 *
 * Where that is not enough every long part is clipped in the middle, harder until all fit: each part stays represented.
 * Only where the mere number of parts is too much are those in the middle left out, and their place says how many.
 */
export function chunkConversation(options: ChunkOptions): readonly string[] {
  const { parts, maxTokens, maxChunks = MAX_CHUNKS } = options;
  let maxPartChars = Number.POSITIVE_INFINITY;
  for (;;) {
    const clipped = parts.map((part) => clipMiddle(part, maxPartChars));
    const chunks = pack({ ...options, parts: clipped });
    if (chunks.length <= maxChunks) return chunks;
    if (maxPartChars === MIN_PART_CHARS) return withoutMiddle({ ...options, parts: clipped });
    const longest = clipped.reduce((most, part) => Math.max(most, part.length), maxTokens);
    maxPartChars = Math.max(MIN_PART_CHARS, Math.floor(Math.min(maxPartChars, longest) / 2));
  }
}

const MIN_PART_CHARS = 40;
const SEPARATOR = "\n\n";

/** The first and the last parts, as many as fit, with a note between them of how many are missing. */
function withoutMiddle(options: ChunkOptions): readonly string[] {
  const { parts, maxChunks = MAX_CHUNKS } = options;
  let kept = parts.length - 1;
  for (;;) {
    const head = Math.floor(kept / 2);
    const tail = kept - head;
    const note = `[… ${parts.length - kept} messages left out …]`;
    const shown = [...parts.slice(0, head), note, ...parts.slice(parts.length - tail)];
    const chunks = pack({ ...options, parts: shown });
    if (chunks.length <= maxChunks || kept === 0) return chunks.slice(0, maxChunks);
    kept = Math.floor(kept * 0.9);
  }
}

function pack({ parts, maxTokens, estimator }: ChunkOptions): readonly string[] {
  const chunks: string[] = [];
  let chunk = "";
  let chunkTokens = 0;
  for (const piece of parts.flatMap((part) => splitLongPart(part, maxTokens, estimator))) {
    const tokens = estimator.estimateText(SEPARATOR + piece);
    if (chunk !== "" && chunkTokens + tokens > maxTokens) {
      chunks.push(chunk);
      chunk = "";
      chunkTokens = 0;
    }
    chunk = chunk === "" ? piece : chunk + SEPARATOR + piece;
    chunkTokens += tokens;
  }
  return chunk === "" ? chunks : [...chunks, chunk];
}

/** A part longer than a chunk, in pieces that fit; breaks lie between code points. */
function splitLongPart(part: string, maxTokens: number, estimator: TokenEstimator): readonly string[] {
  if (estimator.estimateText(SEPARATOR + part) <= maxTokens || part.length < 2) return [part];
  let middle = Math.floor(part.length / 2);
  const code = part.charCodeAt(middle);
  if (code >= 0xdc00 && code <= 0xdfff) middle--;
  if (middle === 0) return [part];
  return [
    ...splitLongPart(part.slice(0, middle), maxTokens, estimator),
    ...splitLongPart(part.slice(middle), maxTokens, estimator),
  ];
}
