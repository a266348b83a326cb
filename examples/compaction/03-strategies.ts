/** A strategy of one's own on the ladder: drop thinking aloud first, then the built-in rungs. No key needed. */
import {
  type CompactionStrategy,
  DEFAULT_STRATEGIES,
  resolveCompactionSettings,
  shrinkContext,
} from "@coppice/compaction";
import { assistantMessage, goodSummary, testModel } from "@coppice/compaction/testing";
import { buildContextEntries, MemoryRepo } from "@coppice/session";

const NOTE = "(thinking aloud, dropped)";

/** Replaces old answers that only think aloud by a note; no model call. Undefined = nothing to do, the next rung is asked. */
const dropThinkingAloud: CompactionStrategy = {
  name: "drop-thinking-aloud",
  async shrink({ session }) {
    const shortenings = buildContextEntries(session.path)
      .entries.slice(0, -4)
      .filter(({ messages }) => JSON.stringify(messages).includes("Let me think aloud"))
      .map(({ entry }) => ({ targetId: entry.id, text: NOTE }));
    return shortenings.length === 0 ? undefined : { type: "mask", shortenings };
  },
};

const session = await new MemoryRepo().create({ cwd: "/project" });
for (let index = 1; index <= 12; index++) {
  await session.appendMessage({ role: "user", content: `Step ${index}`, timestamp: index });
  const text = `${index % 3 === 0 ? "Let me think aloud" : "Done"}: ${"more words ".repeat(200)}`;
  await session.appendMessage(assistantMessage(text, { timestamp: index }));
}
const contextWindow = 8192;
const model = testModel({ contextWindow, maxTokens: 1024 });
const settings = resolveCompactionSettings({ contextWindow });

for (let round = 1; round <= 2; round++) {
  const { outcome, strategy } = await shrinkContext({
    path: await session.getBranch(),
    contextWindow,
    settings,
    tokensBefore: 7000,
    strategies: round === 1 ? [dropThinkingAloud, ...DEFAULT_STRATEGIES] : DEFAULT_STRATEGIES,
    call: { model, complete: async () => assistantMessage(goodSummary("Twelve steps.")) },
  });
  if (outcome?.type === "mask") {
    for (const { targetId, text } of outcome.shortenings) {
      await session.appendContextEdit(targetId, { content: text });
    }
  }
  const what =
    outcome?.type === "mask" ? `${outcome.shortenings.length} answers shown shorter` : "a summary written";
  console.log(`round ${round}, ${strategy}: ${what}`);
}
await session.close();
