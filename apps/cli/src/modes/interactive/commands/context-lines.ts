import type { ContextInspection, InspectedEntry } from "@coppice/coding-agent";
import { tableLines } from "../../../render/table.ts";
import { inertLine } from "../../../render/terminal-text.ts";
import { tokensText } from "../../../render/units.ts";

const BAR_COLUMNS = 24;
const MAX_REASON_COLUMNS = 120;

/** What the next request is made of, as bars, then each entry with its place in it. Entries without one are counted. */
export function contextLines({ tokens, isEstimate, sources, entries }: ContextInspection): readonly string[] {
  const bars = sources.map(({ source, tokens: size }) => [
    source,
    tokensText(size),
    "█".repeat(Math.max(1, Math.round((size / Math.max(1, tokens)) * BAR_COLUMNS))),
  ]);
  const shown = entries.filter(({ state }) => state !== "not_sent" && state !== "other_branch");
  const hidden = entries.length - shown.length;
  return [
    `The next request: ${isEstimate ? "~" : ""}${tokensText(tokens)} tokens`,
    ...tableLines(bars).map((line) => `  ${line}`),
    "",
    ...tableLines(shown.map(entryRow)),
    ...(hidden === 0 ? [] : [`${hidden} more are on other branches or never reach the model`]),
  ];
}

function entryRow({
  entryId,
  type,
  role,
  state,
  reason,
  tokens,
  costUsd,
}: InspectedEntry): readonly string[] {
  return [
    inertLine(entryId, 8),
    inertLine(role ?? type, 20),
    state,
    tokens === 0 ? "" : tokensText(tokens),
    costUsd === 0 ? "" : `$${costUsd.toFixed(4)}`,
    inertLine(reason, MAX_REASON_COLUMNS),
  ];
}
