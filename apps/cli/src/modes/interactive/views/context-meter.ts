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
  let upTo = 0;
  let column = 0;
  for (const [tone, tokens] of segments) {
    upTo += tokens;
    for (; column < columnOf(upTo); column++) bar += column === trigger ? "┃" : paint(tone, "█");
  }
  for (; column < columns; column++) bar += column === trigger ? "┃" : paint("dim", "░");
  return bar;
}
