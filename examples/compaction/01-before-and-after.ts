/** A conversation before and after a compaction, with numbers. No key needed: a made-up model writes the summary. */
import {
  activePins,
  compactOrExtract,
  detectPins,
  estimateContextTokens,
  PIN_CUSTOM_TYPE,
  prepareCompaction,
  resolveCompactionSettings,
  shouldCompact,
} from "@coppice/compaction";
import { assistantMessage, scriptedComplete, testModel } from "@coppice/compaction/testing";
import { MemoryRepo } from "@coppice/session";

const model = testModel({ contextWindow: 16_384, maxTokens: 1024 });
const { contextWindow } = model;
const settings = resolveCompactionSettings({ model, contextWindow });
const session = await new MemoryRepo().create({ cwd: "/project" });

const request = "Rename the user table in all modules. Never touch the migrations folder.";
const entryId = await session.appendMessage({ role: "user", content: request, timestamp: 1 });
const known = activePins(await session.getBranch());
for (const pin of detectPins({ entryId, text: request, known, contextWindow })) {
  await session.appendCustomEntry(PIN_CUSTOM_TYPE, pin);
  console.log(`pinned: ${pin.text}`);
}
for (let index = 1; index <= 24; index++) {
  const path = `src/module-${index}.ts`;
  const call = { type: "toolCall", id: `call-${index}`, name: "edit", arguments: { path } } as const;
  await session.appendMessage(assistantMessage([call], { stopReason: "toolUse", timestamp: index * 2 }));
  await session.appendMessage({
    role: "toolResult",
    toolCallId: call.id,
    toolName: "edit",
    content: [{ type: "text", text: `${path} now reads:\n${"const user = table('account');\n".repeat(60)}` }],
    isError: false,
    timestamp: index * 2 + 1,
  });
}

const before = await session.buildContext();
const { tokens } = estimateContextTokens({ messages: before.messages });
const isDue = shouldCompact({ contextTokens: tokens, contextWindow, settings });
console.log(
  `before: ${before.messages.length} messages, ${tokens} tokens, trigger ${settings.triggerTokens}, due: ${isDue}`,
);

// The summary says nothing of the rule and names no file: what code vouches for is added to it.
const { complete } = scriptedComplete(
  "## Goal\nRename the user table.\n\n## Progress\n### In Progress\n- [ ] The modules, one after the other.\n\n## Next Steps\n1. The next module.",
);
const path = await session.getBranch();
const plan = prepareCompaction({ path, contextWindow, settings, tokensBefore: tokens });
if (plan === undefined) throw new Error("Nothing to compact.");
const { result } = await compactOrExtract(plan, { complete, model });
const { summary, firstKeptEntryId, tokensBefore, tokensAfter, details, checkpoint } = result;
await session.appendCompaction({ summary, firstKeptEntryId, tokensBefore, details, checkpoint });

const after = await session.buildContext();
console.log(
  `after: ${after.messages.length} messages, ${tokensAfter} tokens, ${details.modifiedFiles.length} modified files named`,
);
console.log(`the first message is the summary:\n\n${summary}`);
await session.close();
