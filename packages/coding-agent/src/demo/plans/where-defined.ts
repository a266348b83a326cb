import { fileText, type GrepMatch, readMatches } from "../listing.ts";
import type { DemoPlan, DemoTurn } from "../turn.ts";

const LINES_BEFORE = 2;
const LINES_SHOWN = 14;
const KEYWORDS =
  "function\\*?|class|interface|type|enum|struct|trait|def|fn|func|impl|mod|module|const|let|var|static|record|object";

/** "Where is X defined": search for definitions, read around the best one, answer with path and line. */
export function whereDefined(symbol: string): DemoPlan {
  // `Class.method` and `Class#method`: the last part is what a definition names.
  const name = escapePattern(symbol.split(/[.#]/).at(-1) ?? symbol);
  const searches = [
    `\\b(${KEYWORDS})\\s+(\\([^)]*\\)\\s*)?${name}\\b`,
    `(^|[\\s.,{(])['"]?${name}['"]?\\s*(=[^=>]|:\\s*(async\\s+)?(function|\\()|\\([^)]*\\)\\s*\\{)`,
    `\\b${name}\\b`,
  ];
  return (turn) => {
    const found = turn.batches.flat().filter((finished) => finished.name === "grep");
    const last = found.at(-1);
    const matches = last && !last.isError ? readMatches(last.text) : [];
    const best = bestMatch(matches);
    const looked = turn.batches.flat().find((finished) => finished.name === "read");
    if (best && looked) return { kind: "answer", text: answer(symbol, best, matches, found.length, turn) };
    if (best) {
      const offset = Math.max(1, best.line - LINES_BEFORE);
      return {
        kind: "call",
        say: `Found it in ${best.path}; reading around line ${best.line}.`,
        calls: [{ name: "read", arguments: { path: best.path, offset, limit: LINES_SHOWN } }],
      };
    }
    const pattern = searches[found.length];
    if (pattern === undefined) {
      return { kind: "answer", text: `\`${symbol}\` does not occur in the files that were searched.` };
    }
    const say =
      found.length === 0 ? `I'll search for a definition of ${symbol}.` : "Nothing yet; a wider search.";
    return { kind: "call", say, calls: [{ name: "grep", arguments: { pattern, limit: 50 } }] };
  };
}

/** What makes a match less likely to be the definition itself, with its weight. */
const LESS_LIKELY: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/\.(md|map|json|txt)$|\.min\./, 8],
  [/\.d\.[cm]?ts$/, 4],
  [/(^|\/)(tests?|__tests__|spec|docs?|examples?|vendor)\/|\.(test|spec)\./, 3],
  [/(^|\/)(dist|build|out)\//, 2],
];

/** Sources before built files, tests, declarations and prose; comments last among equals; then the order of the search. */
function bestMatch(matches: readonly GrepMatch[]): GrepMatch | undefined {
  const weight = ({ path, text }: GrepMatch): number =>
    LESS_LIKELY.reduce((sum, [pattern, less]) => sum + (pattern.test(path) ? less : 0), 0) +
    (/^\s*(\/\/|#|\*)/.test(text) ? 1 : 0);
  return [...matches].sort((a, b) => weight(a) - weight(b))[0];
}

function answer(
  symbol: string,
  best: GrepMatch,
  matches: readonly GrepMatch[],
  searches: number,
  turn: DemoTurn,
): string {
  const looked = turn.batches.flat().findLast((finished) => finished.name === "read");
  const shown = looked && !looked.isError ? `\n\n\`\`\`\n${fileText(looked.text).trimEnd()}\n\`\`\`` : "";
  const others = matches.filter((match) => match !== best).slice(0, 8);
  const rest =
    others.length > 0 ? `\n\nAlso at ${others.map(({ path, line }) => `${path}:${line}`).join(", ")}.` : "";
  const verb = searches > 2 ? "is not defined in a way that I recognise; it occurs" : "is defined";
  return `\`${symbol}\` ${verb} at **${best.path}:${best.line}**:${shown}${rest}`;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
