import { type GrepMatch, readMatches } from "../listing.ts";
import type { DemoPlan } from "../turn.ts";

const MAX_LISTED = 60;

/** "Find TODOs": one search, answered by file with line numbers. */
export const findTodos: DemoPlan = ({ batches }) => {
  const search = batches[0]?.[0];
  if (!search) {
    return {
      kind: "call",
      say: "I'll search the files for TODO, FIXME, XXX and HACK.",
      calls: [{ name: "grep", arguments: { pattern: "\\b(TODO|FIXME|XXX|HACK)\\b", limit: 200 } }],
    };
  }
  if (search.isError) return { kind: "answer", text: `The search failed: ${search.text}` };
  const matches = readMatches(search.text);
  if (matches.length === 0) {
    return { kind: "answer", text: "There is no TODO, FIXME, XXX or HACK in the files that were searched." };
  }
  const files = Map.groupBy(matches.slice(0, MAX_LISTED), (match) => match.path);
  const rows = [...files].map(([path, found]) => `**${path}**\n${found.map(row).join("\n")}`);
  const rest = matches.length > MAX_LISTED ? [`… and ${matches.length - MAX_LISTED} more.`] : [];
  const count = `Found ${matches.length} in ${new Set(matches.map(({ path }) => path)).size} file(s):`;
  return { kind: "answer", text: [count, ...rows, ...rest].join("\n\n") };
};

function row({ line, text }: GrepMatch): string {
  return `- line ${line}: \`${text.replaceAll("`", "'").slice(0, 160)}\``;
}
