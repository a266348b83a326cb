/** A guess that needs more changes than this share of its letters is no guess. */
const MAX_CHANGED_SHARE = 0.4;

/** The known word that was most likely meant: the fewest letters changed, or one that holds the other; undefined when none is near. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const lengthGap = (candidate: string) => Math.abs(candidate.length - wanted.length);
  const guesses = known
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || lengthGap(a.candidate) - lengthGap(b.candidate));
  return guesses.find(({ candidate, distance }) => isNear(wanted, candidate.toLowerCase(), distance))
    ?.candidate;
}

/**
 * Known names of which a part, from the start of a word on, is the nearest to what was written; at most `max`, shortest
 * first.
 */
export function closestByPart(written: string, known: readonly string[], max: number): readonly string[] {
  const wanted = written.toLowerCase();
  const guesses = known.map((name) => ({ name, distance: distanceToPart(wanted, name.toLowerCase()) }));
  const least = guesses.reduce((best, { distance }) => Math.min(best, distance), Number.POSITIVE_INFINITY);
  if (wanted === "" || least > wanted.length * MAX_CHANGED_SHARE) return [];
  return guesses
    .filter(({ distance }) => distance === least)
    .map(({ name }) => name)
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, max);
}

function distanceToPart(wanted: string, name: string): number {
  const starts = [...name.matchAll(/(?<![\p{L}\d])[\p{L}\d]/gu)].map(({ index }) => index);
  return Math.min(
    ...starts.map((at) => distanceOf(wanted, name.slice(at, at + wanted.length))),
    wanted.length,
  );
}

function isNear(wanted: string, candidate: string, distance: number): boolean {
  const isPart = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
  return isPart || distance <= Math.max(wanted.length, candidate.length) * MAX_CHANGED_SHARE;
}

/** Letters to insert, delete, replace or swap with their neighbour (Damerau–Levenshtein, adjacent swaps only). */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let at = 1; at <= b.length; at++) {
      const changed = (last[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      const isSwap = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      const swapped = isSwap ? (before[at - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
