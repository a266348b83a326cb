import fc from "fast-check";
import { expect, test } from "vitest";
import { editsFor } from "./replace-text.ts";

/** What the edit tool does with unique, non-overlapping edits. */
function apply(text: string, edits: ReturnType<typeof editsFor>): string {
  return edits.reduce((now, { oldText, newText }) => {
    expect(now.split(oldText)).toHaveLength(2);
    return now.replace(oldText, () => newText);
  }, text);
}

test("edits whose old texts are unique replace every occurrence and nothing else", () => {
  const word = fc.constantFrom("a", "ab", "b", "", "x a", "a a");
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (lines) => {
      const text = lines.join("\n");
      expect(apply(text, editsFor(text, "a", "Z"))).toBe(text.replaceAll("a", "Z"));
    }),
  );
});

test("a replacement with dollar signs is inserted literally (B152)", () => {
  expect(editsFor("log(x)\n", "x", "$& $1")).toEqual([{ oldText: "log(x)", newText: "log($& $1)" }]);
});

test("nothing is edited for a text that does not occur or is empty", () => {
  expect([editsFor("abc", "x", "y"), editsFor("abc", "", "y")]).toEqual([[], []]);
});
