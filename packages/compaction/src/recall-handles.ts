import { textOf } from "@coppice/ai";
import type { ContextEntry } from "@coppice/session";
import { headOf } from "./clip-text.ts";
import { oneLine } from "./file-operations.ts";
import { codeBlockOf } from "./summary-sections.ts";

/** Spans that a summary names; older ones are found by search. */
const MOST_SPANS = 8;
const MOST_TOPICS = 3;
const TOPIC_CHARS = 60;
const HINT = "Originals of what this summary replaces, for the recall tool:";

/**
 * Where the originals of the summarised entries stand: one line a span, `first id..last id`, with what the user asked in it.
 *
 * Spans of earlier summaries are carried. Only for hosts whose `recall` tool is active: elsewhere it would name nothing.
 */
export function recallHandlesOf(
  summarised: readonly ContextEntry[],
  previousSummary: string | undefined,
): string | undefined {
  const entries = summarised.filter(({ entry }) => entry.type !== "compaction");
  const first = entries[0]?.entry.id;
  const last = entries.at(-1)?.entry.id;
  if (first === undefined || last === undefined) return undefined;
  const topics = newestTopics(entries);
  const about = topics.length === 0 ? "" : `: ${topics.join("; ")}`;
  const carried = (codeBlockOf(previousSummary ?? "", "recall-handles") ?? "").split("\n").slice(1);
  const spans = [...carried, `${first}..${last} (${entries.length} entries)${about}`].slice(-MOST_SPANS);
  return [HINT, ...spans].join("\n");
}

/** The beginnings of the newest things that the user asked for, oldest first. */
function newestTopics(entries: readonly ContextEntry[]): readonly string[] {
  const topics: string[] = [];
  for (let index = entries.length - 1; index >= 0 && topics.length < MOST_TOPICS; index--) {
    for (const message of entries[index]?.messages.toReversed() ?? []) {
      if (message.role !== "user" || topics.length === MOST_TOPICS) continue;
      const topic = headOf(oneLine(headOf(textOf(message.content).trim(), 2 * TOPIC_CHARS)), TOPIC_CHARS);
      if (topic !== "") topics.push(topic);
    }
  }
  return topics.reverse();
}

/** What a shortened result says about the rest: the handle where recall is active. */
export function wayToWhole(entryId: string, isRecallActive: boolean | undefined): string {
  return isRecallActive === true
    ? `Use the recall tool with ${entryId} to see the whole.`
    : "Run the tool again to see the whole.";
}
