import { buildContextEntries } from "@coppice/session";
import { expect, test } from "vitest";
import { prepareCompaction } from "./prepare-compaction.ts";
import { resolveCompactionSettings } from "./settings.ts";
import { pathBuilder } from "./testing/index.ts";

function longPath() {
  const builder = pathBuilder();
  for (let index = 0; index < 8; index++) {
    builder.user(`Question ${index} ${"words ".repeat(300)}`);
    builder.assistant(`Answer ${index} ${"words ".repeat(300)}`);
  }
  return builder;
}

const contextWindow = 4096;
const settings = resolveCompactionSettings({ contextWindow });

test("the same input, in other lists, gives the very plan that was made before", () => {
  const { path } = longPath();
  const { entries } = buildContextEntries(path);
  const input = { path, entries, contextWindow, settings, tokensBefore: 5000 };
  const plan = prepareCompaction(input);
  expect(plan).toBeDefined();
  const again = { ...input, path: [...path], entries: entries.map((entry) => ({ ...entry })) };
  expect(prepareCompaction({ ...again, settings: { ...settings } })).toBe(plan);
});

test.each([
  { name: "another size", change: { tokensBefore: 5001 } },
  { name: "another setting", change: { settings: { ...settings, keepRecentTokens: 100 } } },
  { name: "another system prompt", change: { systemPrompt: "Be short." } },
  { name: "another session name", change: { sessionName: "new name" } },
])("$name gives another plan", ({ change }) => {
  const { path } = longPath();
  const input = { path, contextWindow, settings, tokensBefore: 5000 };
  const plan = prepareCompaction(input);
  expect(prepareCompaction({ ...input, ...change })).not.toBe(plan);
});

test("a path that its owner goes on appending to is planned anew", () => {
  const builder = longPath();
  const input = { path: builder.path, contextWindow, settings, tokensBefore: 5000 };
  const plan = prepareCompaction(input);
  builder.user(`Another ${"words ".repeat(300)}`);
  builder.assistant(`Answer ${"words ".repeat(300)}`);
  expect(prepareCompaction(input)?.firstKeptEntryId).not.toBe(plan?.firstKeptEntryId);
});
