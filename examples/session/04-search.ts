import { MemoryRepo } from "@coppice/session";

// All branches and what a compaction took out of the context, newest first.
const session = await new MemoryRepo().create({ cwd: "/w" });
const old = await session.appendMessage({
  role: "user",
  content: "The Parser fails on line 7.",
  timestamp: 1,
});
await session.appendLabel(old, "the bug");
await session.appendCompaction({ summary: "A bug was found.", firstKeptEntryId: "", tokensBefore: 100 });
await session.moveTo(null);
await session.appendMessage({ role: "user", content: "Is the parser tested?", timestamp: 2 });

for await (const { snippet, isOnBranch } of session.search("parser")) console.log(isOnBranch, snippet);
