import type { ContextUsage } from "@coppice/coding-agent";
import { tokensText } from "../../../render/units.ts";
import type { Paint, Tone } from "../theme.ts";

/** A context nearly at its trigger is shown in another colour. */
const NEAR_TRIGGER = 0.9;

/** How full the context is: a bar with a segment per source and a mark at the compaction's trigger, then numbers. */
export function contextMeter(usage: ContextUsage, columns: number, paint: Paint): string {
  const { tokens, contextWindow, triggerTokens, isEstimate } = usage;
  const percent = contextWindow === 0 ? 0 : Math.round((tokens / contextWindow) * 100);
  const size = `${isEstimate ? "~" : ""}${tokensText(tokens)}/${tokensText(contextWindow)} ${percent}%`;
  const tone: Tone = tokens >= triggerTokens * NEAR_TRIGGER ? "warning" : "dim";
  return `${meterBar(usage, columns, paint)} ${paint(tone, size)}`;
}

function meterBar(
  { parts, contextWindow, triggerTokens }: ContextUsage,
  columns: number,
  paint: Paint,
): string {
  const segments: readonly (readonly [Tone, number])[] = [
    ["meterPrompt", parts.system + parts.tools],
    ["meterFiles", parts.contextFiles],
    ["meterSummary", parts.summary],
    ["meterMessages", parts.messages],
  ];
  const columnOf = (tokens: number) =>
    contextWindow === 0 ? 0 : Math.min(columns, Math.round((tokens / contextWindow) * columns));
  const trigger = Math.min(columns - 1, columnOf(triggerTokens));
  let bar = "";
  let from = 0;
  let upTo = 0;
  for (const [tone, tokens] of segments) {
    upTo += tokens;
    bar += run({ from, to: columnOf(upTo), trigger, cell: "█", paint: (text) => paint(tone, text) });
    from = columnOf(upTo);
  }
  return bar + run({ from, to: columns, trigger, cell: "░", paint: (text) => paint("dim", text) });
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly trigger: number;
  readonly cell: string;
  readonly paint: (text: string) => string;
}

/** Cells of one kind, the trigger's mark among them if it lies there. */
function run({ from, to, trigger, cell, paint }: Run): string {
  const cells = (count: number) => (count > 0 ? paint(cell.repeat(count)) : "");
  if (trigger < from || trigger >= to) return cells(to - from);
  return `${cells(trigger - from)}┃${cells(to - trigger - 1)}`;
}
