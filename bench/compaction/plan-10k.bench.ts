import {
  estimateContextTokens,
  prepareCompaction,
  resolveCompactionSettings,
  shouldCompact,
} from "@coppice/compaction";
import { pathBuilder } from "@coppice/compaction/testing";
import { buildContext } from "@coppice/session";

/** Decision, cut and preparation on a path of 10,000 messages: the first time, and again when nothing changed. */
const builder = pathBuilder();
for (let index = 0; index < 2500; index++) {
  builder.user(`Question ${index} ${"words ".repeat(20)}`);
  builder.toolCall(`t${index}`, "read", { path: `src/${index % 300}.ts` });
  builder.toolResult(`t${index}`, "line of text\n".repeat(50));
  builder.assistant(`Answer ${index} ${"words ".repeat(30)}`);
}
const contextWindow = 200_000;
const settings = resolveCompactionSettings({ contextWindow });
const { messages, entries } = buildContext(builder.path);

function plan(): void {
  const { tokens } = estimateContextTokens({ messages });
  if (!shouldCompact({ contextTokens: tokens, contextWindow, settings })) throw new Error("must fire");
  prepareCompaction({ path: builder.path, entries, contextWindow, settings, tokensBefore: tokens });
}

function measure(): number {
  const start = performance.now();
  plan();
  return performance.now() - start;
}

const first = measure();
const again = Array.from({ length: 30 }, measure).sort((a, b) => a - b);
console.log(
  `10,000 messages: first ${first.toFixed(1)} ms, again ${again[15]?.toFixed(2)} ms (median of 30)`,
);
