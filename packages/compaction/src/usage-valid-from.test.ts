import { buildContextEntries } from "@coppice/session";
import { expect, test } from "vitest";
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
