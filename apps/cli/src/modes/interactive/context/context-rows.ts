import type { ContextInspection, EntryState, InspectedEntry } from "@coppice/coding-agent";
import { type AnyEntry, entryText } from "@coppice/session";
import { tableLines } from "../../../render/table.ts";
import { inertLine } from "../../../render/terminal-text.ts";
import { tokensText } from "../../../render/units.ts";
import { evenEmoji } from "../even-emoji.ts";
import { clipLine } from "../screen.ts";
import type { Paint, Tone } from "../theme.ts";

const BAR_COLUMNS = 30;
const MAX_CHARACTERS = 300;

/** An entry as the view lists it. */
export interface ContextRow extends InspectedEntry {
  /** Untrusted. */
  readonly text: string;
}

/** Which entries are listed; Tab changes it. */
export const CONTEXT_FILTERS = ["this branch", "everything"] as const;

export type ContextFilter = (typeof CONTEXT_FILTERS)[number];

/** Entries with their texts, newest last, as far as they pass. */
export function contextRows(
  inspection: ContextInspection,
  entries: ReadonlyMap<string, AnyEntry>,
  { filter, query }: { readonly filter: ContextFilter; readonly query: string },
): readonly ContextRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return inspection.entries
    .map((entry) => {
      const stored = entries.get(entry.entryId);
      return { ...entry, text: stored === undefined ? "" : entryText(stored) };
    })
    .filter(({ state }) => filter === "everything" || (state !== "not_sent" && state !== "other_branch"))
    .filter(({ text, role, type, state }) => {
      const all = `${role ?? type} ${state} ${text}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
}

export interface ContextSize {
  readonly contextWindow: number;
  readonly triggerTokens: number;
}

/** What the next request is made of: its size, and a bar for each source. */
export function sourceLines(
  { tokens, isEstimate, sources }: Pick<ContextInspection, "tokens" | "isEstimate" | "sources">,
  { contextWindow, triggerTokens }: ContextSize,
  paint: Paint,
): readonly string[] {
  const size = `${isEstimate ? "~" : ""}${tokensText(tokens)} of ${tokensText(contextWindow)} tokens`;
  const bars = tableLines(sources.map(({ source, tokens: part }) => [source, tokensText(part).padStart(5)]));
  return [
    `${paint("strong", "The next request:")} ${size}, compacts at ${tokensText(triggerTokens)}`,
    ...sources.map(({ source, tokens: part }, index) => {
      const columns = Math.max(1, Math.round((part / Math.max(1, tokens)) * BAR_COLUMNS));
      return `  ${bars[index] ?? ""}  ${paint(toneOfSource(source), "█".repeat(columns))}`;
    }),
  ];
}

/** The same colours as in the footer's meter. */
function toneOfSource(source: ContextInspection["sources"][number]["source"]): Tone {
  if (source === "system" || source === "tools" || source === "skills") return "meterPrompt";
  if (source === "contextFiles") return "meterFiles";
  if (source === "summary" || source === "pins" || source === "branchSummary") return "meterSummary";
  return "meterMessages";
}

const STATES: Readonly<Record<EntryState, readonly [name: string, tone: Tone]>> = {
  in: ["in", "success"],
  shortened: ["shortened", "warning"],
  hidden: ["hidden", "error"],
  summarised: ["summarised", "meterSummary"],
  other_branch: ["elsewhere", "dim"],
  not_sent: ["not sent", "dim"],
};

/** One entry: state, kind, size, cost, beginning of its text. */
export function contextLine(
  row: ContextRow,
  {
    isSelected,
    width,
    paint,
  }: { readonly isSelected: boolean; readonly width: number; readonly paint: Paint },
): string {
  const [name, tone] = STATES[row.state];
  const kind = inertLine(row.role ?? row.type, 20).padEnd(14);
  const tokens = (row.tokens === 0 ? "" : tokensText(row.tokens)).padStart(5);
  const cost = (row.costUsd === 0 ? "" : `$${row.costUsd.toFixed(4)}`).padStart(8);
  const text = evenEmoji(inertLine(row.text.slice(0, MAX_CHARACTERS), MAX_CHARACTERS));
  const cursor = isSelected ? paint("accent", "→") : " ";
  return clipLine(
    `${cursor} ${paint(tone, name.padEnd(10))} ${kind} ${tokens} ${paint("dim", cost)}  ${text}`,
    width,
  );
}
