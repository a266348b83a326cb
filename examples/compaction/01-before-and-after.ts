/** A conversation before and after a compaction, with numbers. No key needed: a made-up model writes the summary. */
import {
  compactOrExtract,
  estimateContextTokens,
  prepareCompaction,
  resolveCompactionSettings,
  shouldCompact,
} from "@coppice/compaction";
import { assistantMessage, scriptedComplete, testModel } from "@coppice/compaction/testing";
import { MemoryRepo } from "@coppice/session";

const session = await new MemoryRepo().create({ cwd: "/project" });
for (let index = 1; index <= 20; index++) {
  await session.appendMessage({
    role: "user",
    content: `Step ${index}: ${"details ".repeat(200)}`,
    timestamp: index,
  });
  await session.appendMessage(
    assistantMessage(`Notes of step ${index}: ${"more ".repeat(100)}`, { timestamp: index }),
  );
}
const { complete } = scriptedComplete(
  "## Goal\nWalk through twenty steps.\n\n## Progress\n### Done\n- [x] The early steps.\n\n## Next Steps\n1. The next step.",
);
const model = testModel({ contextWindow: 8192, maxTokens: 1024 });
const { contextWindow } = model;
const settings = resolveCompactionSettings({ model, contextWindow });

const before = await session.buildContext();
const { tokens } = estimateContextTokens({ messages: before.messages });
console.log(
  `before: ${before.messages.length} messages, ${tokens} tokens, trigger ${settings.triggerTokens}`,
);
console.log(`due: ${shouldCompact({ contextTokens: tokens, contextWindow, settings })}`);

const plan = prepareCompaction({
  path: await session.getBranch(),
  contextWindow,
  settings,
  tokensBefore: tokens,
});
if (plan === undefined) throw new Error("Nothing to compact.");
const { result } = await compactOrExtract(plan, { complete, model });
const { summary, firstKeptEntryId, tokensBefore, tokensAfter, details, checkpoint } = result;
await session.appendCompaction({ summary, firstKeptEntryId, tokensBefore, details, checkpoint });

const after = await session.buildContext();
console.log(`after: ${after.messages.length} messages, ${tokensAfter} tokens; the first is the summary:\n`);
console.log(summary);
await session.close();
