/** A guess that needs more changes than this share of its letters is no guess. */
const MAX_CHANGED_SHARE = 0.4;

/** The known word that was most likely meant: the fewest letters changed, or one that holds the other; undefined when none is near. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const guesses = known
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return guesses.find(({ candidate, distance }) => isNear(wanted, candidate.toLowerCase(), distance))
    ?.candidate;
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
