import { type AnyEntry, buildContextEntries, type ContextEntry, isEntry } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryPath } from "../test/arbitrary-path.ts";
import { reportsContextSize } from "./estimate.ts";
import { pathBuilder, usageOf } from "./testing/index.ts";
import { usageValidFrom } from "./usage-valid-from.ts";

const usage = usageOf({ input: 100 });

function validFrom(builder: ReturnType<typeof pathBuilder>) {
  return usageValidFrom(builder.path, buildContextEntries(builder.path).entries);
}

test("the newest successful answer's usage is valid", () => {
  const builder = pathBuilder();
  builder.user("a");
  builder.assistant("b", { usage });
  builder.assistant("", { stopReason: "error" });
  builder.user("c");
  expect(validFrom(builder)).toBe(1);
});

test("B046: no usage from before the latest compaction is valid, also on kept messages", () => {
  const builder = pathBuilder();
  builder.user("a", "u1");
  builder.assistant("b", { usage });
  builder.compaction("s", "u1");
  builder.user("c");
  expect(validFrom(builder)).toBe(4);
  builder.assistant("d", { usage });
  expect(validFrom(builder)).toBe(4);
  builder.user("e");
  expect(validFrom(builder)).toBe(4);
});

test("an edit of something that a report counted makes the report void", () => {
  const builder = pathBuilder();
  const first = builder.user("a");
  builder.assistant("b", { usage });
  builder.entry("context_edit", { targetId: first, replacement: { content: "shorter" } });
  expect(validFrom(builder)).toBe(2);
});

test("an edit that hides a later failed attempt leaves the report valid", () => {
  const builder = pathBuilder();
  builder.user("a");
  builder.assistant("b", { usage });
  builder.user("c");
  const failed = builder.assistant("", { stopReason: "error" });
  builder.entry("context_edit", { targetId: failed, replacement: null });
  expect(validFrom(builder)).toBe(1);
});

test("a report behind what was edited is void, and so is an older one: it says nothing of those that follow", () => {
  const builder = pathBuilder();
  builder.user("a");
  builder.assistant("b", { usage });
  const edited = builder.user("c");
  builder.assistant("d", { usage });
  builder.entry("context_edit", { targetId: edited, replacement: { content: "shorter" } });
  expect(validFrom(builder)).toBe(4);
  builder.assistant("e", { usage });
  expect(validFrom(builder)).toBe(4);
});

/** The rule word for word, whatever it costs: after the latest compaction, and no later edit of anything before it. */
function byTheRule(path: readonly AnyEntry[], entries: readonly ContextEntry[]): number {
  const positionOf = (id: string) => path.findIndex((entry) => entry.id === id);
  const compactedAt = path.findLastIndex(({ type }) => type === "compaction");
  const isValid = (at: number) =>
    at > compactedAt &&
    !path.some((edit, when) => when > at && isEntry(edit, "context_edit") && positionOf(edit.targetId) <= at);
  const starts = entries.map((_, index) =>
    entries.slice(0, index).reduce((sum, { messages }) => sum + messages.length, 0),
  );
  const found = entries.findLastIndex(
    ({ messages: [answer] }) => answer?.role === "assistant" && reportsContextSize(answer),
  );
  const total = entries.reduce((sum, { messages }) => sum + messages.length, 0);
  return isValid(positionOf(entries[found]?.entry.id ?? "")) ? (starts[found] ?? total) : total;
}

test("B046: on any path it is what the rule says", () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 3 });
  fc.assert(
    fc.property(arbitraryPath(), edits, (start, targets) => {
      const builder = pathBuilder(start);
      for (const [at, isKnown] of targets) {
        const targetId = isKnown ? (start[at % start.length]?.id ?? "") : "nowhere";
        builder.entry("context_edit", { targetId, replacement: { content: "x" } });
        builder.assistant("answer", at % 2 === 0 ? { usage } : {});
      }
      const { entries } = buildContextEntries(builder.path);
      expect(usageValidFrom(builder.path, entries)).toBe(byTheRule(builder.path, entries));
    }),
  );
});
