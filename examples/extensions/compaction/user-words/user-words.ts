import { textOf } from "@coppice/ai";
import { type CompactionStrategy, compactWithText } from "@coppice/compaction";

const HEADING = "## What the user said, word for word";

/**
 * A summary that paraphrases nothing: all that the user said, in order. It calls no model.
 *
 * Code adds what it vouches for (files, the last failure, pins). Where all of it has no room, `compactWithText` throws,
 * and the next rung of the ladder is asked.
 */
export const userWords: CompactionStrategy = {
  name: "user-words",
  async shrink({ preparation }) {
    if (preparation === undefined) return undefined;
    const { messagesToSummarize, turnPrefixMessages, previousSummary = "" } = preparation;
    const said = [...messagesToSummarize, ...turnPrefixMessages]
      .flatMap((message) => (message.role === "user" ? [textOf(message.content).trim()] : []))
      .filter((text) => text !== "")
      .map((text) => `- ${text.replaceAll("\n", "\n  ")}`);
    const isOurs = previousSummary.includes(HEADING);
    const earlier = isOurs || previousSummary === "" ? previousSummary : `${previousSummary}\n\n${HEADING}`;
    const text = [earlier === "" ? HEADING : earlier, ...said].join("\n");
    return { type: "compaction", result: compactWithText(preparation, text) };
  },
};
