import type { AgentMessage } from "@coppice/agent";
import { toolCallsOf } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import type { ContextEntry } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptSpan } from "./kept-messages.ts";

/** A projection: `u` a user message, `a` an answer, a digit n an answer with n calls and their results. */
function projection(shape: string): readonly ContextEntry[] {
  const messages: AgentMessage[] = [];
  const answer = (ids: readonly string[]): AgentMessage =>
    scriptedMessage({ content: ids.map((id) => ({ type: "toolCall", id, name: "t", arguments: {} })) });
  for (const [at, kind] of [...shape].entries()) {
    if (kind === "u") messages.push({ role: "user", content: `u${at}`, timestamp: 0 });
    else if (kind === "a") messages.push(answer([]));
    else {
      const ids = Array.from({ length: Number(kind) }, (_, call) => `${at}-${call}`);
      messages.push(answer(ids));
      for (const toolCallId of ids) {
        messages.push({
          role: "toolResult",
          toolCallId,
          toolName: "t",
          content: [],
          isError: false,
          timestamp: 0,
        });
      }
    }
  }
  return messages.map((message, index) => ({
    entry: { type: "message", id: `e${index}`, parentId: null, timestamp: "", message },
    messages: [message],
  }));
}

const messagesAt = (entries: readonly ContextEntry[], ...indexes: readonly number[]) =>
  indexes.flatMap((index) => entries[index]?.messages ?? []);

test("the boundary is the earliest kept message and those between are hidden", () => {
  const entries = projection("uauaua");
  expect(keptSpan(entries, messagesAt(entries, 5, 2))).toEqual({
    firstKeptEntryId: "e2",
    hiddenEntryIds: ["e3", "e4"],
  });
});

test("a kept result keeps its call and the results beside it", () => {
  const entries = projection("u2ua");
  expect(keptSpan(entries, messagesAt(entries, 3))).toEqual({
    firstKeptEntryId: "e1",
    hiddenEntryIds: ["e4", "e5"],
  });
});

test("nothing kept has no boundary", () => {
  expect(keptSpan(projection("uaua"), [])).toEqual({ firstKeptEntryId: undefined, hiddenEntryIds: [] });
});

test("whatever is kept, all of it stays and no call is parted from its results", () => {
  const shape = fc.string({ unit: fc.constantFrom("u", "a", "1", "2", "3"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(shape, fc.array(fc.nat({ max: 40 })), (text, picks) => {
      const entries = projection(text);
      const kept = messagesAt(entries, ...picks);
      const { firstKeptEntryId, hiddenEntryIds } = keptSpan(entries, kept);
      const from = entries.findIndex(({ entry }) => entry.id === firstKeptEntryId);
      const stays =
        from === -1 ? [] : entries.slice(from).filter(({ entry }) => !hiddenEntryIds.includes(entry.id));
      const shown = stays.flatMap(({ messages }) => messages);
      expect(kept.every((message) => shown.includes(message))).toBe(true);
      const called = shown.flatMap((message) => (message.role === "assistant" ? toolCallsOf(message) : []));
      const answered = shown.flatMap((message) =>
        message.role === "toolResult" ? [message.toolCallId] : [],
      );
      expect(called.map(({ id }) => id).sort()).toEqual([...answered].sort());
    }),
  );
});
