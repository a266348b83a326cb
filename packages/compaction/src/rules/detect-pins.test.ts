import { expect, test } from "vitest";
import { detectPins } from "./detect-pins.ts";

const base = { entryId: "e1", known: [], contextWindow: 200_000 };

test("each rule of a message becomes a pin with an id of its own, made from the entry", () => {
  const text =
    "Build the export page.\n\n- Never touch vendor/.\n- 请始终用中文回答。\nWhy does it never end?";
  expect(detectPins({ ...base, text })).toEqual([
    { id: "e1-0", text: "Never touch vendor/.", source: "detected" },
    { id: "e1-1", text: "请始终用中文回答。", source: "detected" },
  ]);
});

test("a rule that is pinned already, in other case or without its full stop, is not pinned again", () => {
  const known = [{ id: "p1", text: "never touch vendor/", source: "user" as const }];
  expect(detectPins({ ...base, known, text: "Never touch vendor/." })).toEqual([]);
});

test("detected pins take at most 1 % of the window together; a person's pins do not count", () => {
  const long = "Never touch the files of the other team in the shared folder, whatever the tests say.";
  const user = { id: "p1", text: "x".repeat(4000), source: "user" as const };
  expect(detectPins({ ...base, known: [user], contextWindow: 4096, text: long })).toHaveLength(1);
  const detected = { ...user, source: "detected" as const };
  expect(detectPins({ ...base, known: [detected], contextWindow: 4096, text: long })).toEqual([]);
});
