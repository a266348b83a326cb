import type { SecretKind } from "./secret-kind.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";
import { VENDOR_TOKENS } from "./vendor-tokens.ts";
import { WordFinder } from "./word-finder.ts";

/** Every kind that is known; where two match at one place the one that stands earlier wins. */
export const SECRET_KINDS: readonly SecretKind[] = [...VENDOR_TOKENS, ...SECRET_SHAPES];

const HINTS = new WordFinder(SECRET_KINDS.flatMap(({ hints }) => hints));

/** Where a secret stands in a text, in UTF-16 units; `end` is exclusive. */
export interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** The secrets of a text in order, none inside another. Pure; known forms only, so that nothing found is no proof. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const hinted = HINTS.find(text);
  if (hinted.size === 0) return [];
  const found: FoundSecret[] = [];
  for (const { id, hints, pattern, accepts } of SECRET_KINDS) {
    if (!hints.some((hint) => hinted.has(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      if (accepts !== undefined && !accepts(match[0])) continue;
      found.push({ kind: id, start: match.index, end: match.index + match[0].length });
    }
  }
  return withoutOverlaps(found);
}

/** Of secrets that overlap the union stays, under the kind that was found first. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const ordered = found.toSorted((a, b) => a.start - b.start);
  const result: FoundSecret[] = [];
  for (const secret of ordered) {
    const last = result.at(-1);
    if (last === undefined || secret.start >= last.end) result.push(secret);
    else if (secret.end > last.end) result[result.length - 1] = { ...last, end: secret.end };
  }
  return result;
}
