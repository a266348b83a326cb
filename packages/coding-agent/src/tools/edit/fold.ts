/** A text folded for comparison, with the way back: unit `i` of `text` stands for the original from `starts[i]` to `ends[i]`. */
export interface FoldedText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** How much two texts may differ and still match. `line-endings` forgives CRLF, CR and LF for one another. */
export type Folding = "line-endings" | "typography";

/** A character with its combining marks, or a line ending: what folds as one. */
const CLUSTER = /\r\n|[\s\S]\p{M}*/gu;
const TRAILING_SPACE = /[^\S\r\n]+(?=[\r\n]|$)/g;

/**
 * Folds a text. `typography` also forgives quotes, dashes, kinds of space, composed and compatibility forms, and spaces
 * at the end of a line.
 */
export function foldText(original: string, folding: Folding): FoldedText {
  const dropped = folding === "typography" ? trailingSpaces(original) : new Map<number, number>();
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  CLUSTER.lastIndex = 0;
  for (let match = CLUSTER.exec(original); match !== null; match = CLUSTER.exec(original)) {
    const skipTo = dropped.get(match.index);
    if (skipTo !== undefined) {
      CLUSTER.lastIndex = skipTo;
      continue;
    }
    const folded = foldCluster(match[0], folding);
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
    }
    text += folded;
  }
  return { text, starts, ends };
}

/** Start → end of each run of spaces at the end of a line. */
function trailingSpaces(original: string): Map<number, number> {
  return new Map(
    [...original.matchAll(TRAILING_SPACE)].map((match) => [match.index, match.index + match[0].length]),
  );
}

function foldCluster(cluster: string, folding: Folding): string {
  if (cluster === "\r\n" || cluster === "\r") return "\n";
  if (folding === "line-endings" || (cluster.length === 1 && cluster < "\u0080")) return cluster;
  return cluster
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ");
}
