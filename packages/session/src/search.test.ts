import { expect, test } from "vitest";
import type { SearchMatch } from "./search.ts";
import type { Session } from "./session.ts";
import { assistantMessage, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

async function found(session: Session, query: string, limit?: number): Promise<readonly SearchMatch[]> {
  const matches: SearchMatch[] = [];
  for await (const match of session.search(query, limit === undefined ? {} : { limit })) matches.push(match);
  return matches;
}

test("finds text of every branch and of what was compacted, newest first, and says what is on the branch", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const first = await session.appendMessage(userMessage("Fix the Parser please"));
  const call = { type: "toolCall", id: "t", name: "grep", arguments: { pattern: "parser" } } as const;
  const left = await session.appendMessage(assistantMessage("", { content: [call], stopReason: "toolUse" }));
  await session.moveTo(first);
  await session.appendMessage(userMessage("nothing here"));
  const summary = await session.appendCompaction({
    summary: "The PARSER.",
    firstKeptEntryId: "",
    tokensBefore: 1,
  });
  const matches = await found(session, "parser");
  expect(matches.map(({ entryId, isOnBranch }) => [entryId, isOnBranch])).toEqual([
    [summary, true],
    [left, false],
    [first, true],
  ]);
  expect((await found(session, "parser", 1)).map(({ entryId }) => entryId)).toEqual([summary]);
  expect([await found(session, ""), await found(session, "no such text")]).toEqual([[], []]);
});

test("reads a large file page by page and shows a line around the place", async () => {
  await using folder = await SessionFolder.create();
  const session = await folder.repo().create({ cwd: "/w" });
  const id = await session.appendMessage(userMessage(`${"a ".repeat(500)}\nNeedle\n${"b ".repeat(500)}`));
  for (let index = 0; index < 10; index++) await session.appendMessage(userMessage("x".repeat(100_000)));
  const [match] = await found(session, "needle");
  expect(match?.entryId).toBe(id);
  expect(match?.snippet).toBe(`…${"a ".repeat(29)}Needle${" b".repeat(30)}…`);
});
