import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "./apply-edits.ts";

const apply = (original: string, oldText: string, newText: string): string =>
  applyEdits(original, [{ oldText, newText }], "f").text;
const refusal = (
  original: string,
  ...edits: readonly (readonly [oldText: string, newText: string])[]
): string => {
  try {
    applyEdits(
      original,
      edits.map(([oldText, newText]) => ({ oldText, newText })),
      "f",
    );
    return "applied";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("what an edit makes of a file", () => {
  test.each([
    {
      name: "B149, TO-09: a match by other quotes keeps every byte that was not asked for",
      original: "naïve — café²\n\nconsole.log('x')\n",
      oldText: "console.log(‘x’)",
      newText: "console.log(‘y’)",
      expected: "naïve — café²\n\nconsole.log('y')\n",
    },
    {
      name: "the file's own dashes and spaces stay where old and new text agree",
      original: "a\u00a0— b = 1\nc – d\n",
      oldText: "a - b = 1\nc - d",
      newText: "a - b = 2\nc - d\ne - f",
      expected: "a\u00a0— b = 2\nc – d\ne - f\n",
    },
    {
      name: "a tolerant match of several lines keeps the unchanged ones",
      original: "“one”\n“two”\n“three”\n",
      oldText: '"one"\n"two"\n"three"',
      newText: '"one"\n"2"\n"three"',
      expected: "“one”\n“2”\n“three”\n",
    },
    {
      name: "trailing spaces in the file do not prevent a match",
      original: "if x:   \n  y\t\nz\n",
      oldText: "if x:\n  y\n",
      newText: "if x:\n  w\n",
      expected: "if x:   \n  w\nz\n",
    },
    {
      name: "a match by composed characters",
      original: "cafe\u0301 = 1;\n",
      oldText: "caf\u00e9 = 1;",
      newText: "caf\u00e9 = 2;",
      expected: "cafe\u0301 = 2;\n",
    },
    {
      name: "a space at the end of the common part is kept",
      original: "let a = ‘x’; // b\n",
      oldText: "let a = 'x'; ",
      newText: "let a = 'yy'; ",
      expected: "let a = ‘yy’; // b\n",
    },
    {
      name: "B152: the new text is no pattern",
      original: 'log("done");\n',
      oldText: 'log("done");',
      newText: 'log("$& $$ $1 ok");',
      expected: 'log("$& $$ $1 ok");\n',
    },
    {
      name: "B154, TO-08: CRLF stays CRLF, once",
      original: "a\r\nb\r\nc\r\n",
      oldText: "b\nc",
      newText: "B\nC\nD",
      expected: "a\r\nB\r\nC\r\nD\r\n",
    },
    {
      name: "B154: one line of a CRLF file becomes two",
      original: "a\r\nb\r\n",
      oldText: "b",
      newText: "B\nC",
      expected: "a\r\nB\r\nC\r\n",
    },
    {
      name: "CRLF in the edit, LF in the file",
      original: "a\nb\nc\n",
      oldText: "a\r\nb",
      newText: "A\r\nB",
      expected: "A\nB\nc\n",
    },
    {
      name: "lines of a mixed file keep their endings",
      original: "a\r\nb\nc\rd\n",
      oldText: "a\nb\nc\nd",
      newText: "a\nb\nC\nd",
      expected: "a\r\nb\nC\rd\n",
    },
    {
      name: "line endings can be changed on purpose",
      original: "a\r\nb\r\n",
      oldText: "a\r\nb",
      newText: "a\nb",
      expected: "a\nb\r\n",
    },
    {
      name: "B159: white space is matched exactly",
      original: "a  b\n\n\nc",
      oldText: "\n\n\n",
      newText: "\n",
      expected: "a  b\nc",
    },
    {
      name: "B163: a backslash and an n are no line break",
      original: "sep=\\n\n",
      oldText: "\\n",
      newText: "\\n\n\\n",
      expected: "sep=\\n\n\\n\n",
    },
    { name: "an edit can delete", original: "abc", oldText: "b", newText: "", expected: "ac" },
  ])("$name", ({ original, oldText, newText, expected }) => {
    expect(apply(original, oldText, newText)).toBe(expected);
  });
});

describe("what is refused, with nothing applied", () => {
  test.each([
    {
      name: "B158: overlapping occurrences are several",
      message: refusal("aaa", ["aa", "b"]),
      expected:
        "oldText occurs 2 times in f (line 1). Add surrounding lines to make it unique. Nothing was changed.",
    },
    {
      name: "a tolerant match must be unique too",
      message: refusal("‘a’\n“b”\n‛a’\n", ["'a'", "c"]),
      expected:
        "oldText occurs 2 times in f (lines 1, 3). Add surrounding lines to make it unique. Nothing was changed.",
    },
    {
      name: "B159: empty old text",
      message: refusal("abc", ["", "x"]),
      expected: "Edit 1: oldText is empty. Name the text to replace; use write for a new file.",
    },
    {
      name: "white space that is not there is not forgiven",
      message: refusal("a\u00a0b", [" ", "x"]),
      expected: "oldText does not occur in f. Read the file and copy the text exactly. Nothing was changed.",
    },
    {
      name: "the second of two edits is named",
      message: refusal("one two", ["one", "1"], ["three", "3"]),
      expected:
        "oldText of edit 2 does not occur in f. Read the file and copy the text exactly. Nothing was changed.",
    },
    {
      name: "edits that overlap",
      message: refusal("one two", ["one t", "1"], ["two", "2"]),
      expected: "Edits 1 and 2 overlap in f. Join them into one edit. Nothing was changed.",
    },
    {
      name: "the same edit twice",
      message: refusal("one", ["one", "1"], ["one", "2"]),
      expected: "Edits 1 and 2 overlap in f. Join them into one edit. Nothing was changed.",
    },
    {
      name: "an edit that changes nothing",
      message: refusal("one", ["one", "one"]),
      expected: "The edits change nothing in f: new and old text are the same.",
    },
    {
      name: "no edits at all",
      message: refusal("one"),
      expected: "No edits given. Pass edits: [{ oldText, newText }].",
    },
    {
      name: "the place of the first line is a hint",
      message: refusal("a\n  if (x) {\n    y\n", ["if (x) {\ny", "z"]),
      expected:
        "oldText does not occur in f. Its first line is at line 2, but what is around it differs (indentation?). Nothing was changed.",
    },
    {
      name: "half of a folded character is no match",
      message: refusal("ﬁne", ["i", "x"]),
      expected: "oldText does not occur in f. Read the file and copy the text exactly. Nothing was changed.",
    },
  ])("$name", ({ message, expected }) => expect(message).toBe(expected));

  test("adjacent edits are not overlapping", () => {
    const edits = [
      { oldText: "one", newText: "1" },
      { oldText: "two", newText: "2" },
    ];
    expect(applyEdits("onetwo", edits, "f")).toEqual({ text: "12", approximate: [] });
  });
});

/** Lines with unlike endings, quotes and trailing spaces; each begins with a number of its own, so that it is unique. */
const fileLines = fc.array(
  fc.record({
    body: fc.stringMatching(/^[a-c'’"“–\- \u00a0é]{0,8}$/),
    ending: fc.constantFrom("\n", "\r\n", "\r"),
  }),
  { minLength: 3, maxLength: 12 },
);

test("TO-08, TO-09: bytes outside the asked ranges never change", () => {
  fc.assert(
    fc.property(fileLines, fc.nat(), fc.nat(), (lines, from, count) => {
      const written = lines.map(({ body, ending }, index) => `<${index}>${body}${ending}`);
      const first = from % lines.length;
      const last = Math.min(lines.length - 1, first + (count % 3));
      // As a model would quote it: plain typography, LF, no trailing spaces.
      const quoted = lines
        .slice(first, last + 1)
        .map(({ body }, index) => `<${first + index}>${plain(body)}`)
        .join("\n");
      const { text } = applyEdits(written.join(""), [{ oldText: quoted, newText: `${quoted}!\n+` }], "f");
      expect(text.startsWith(written.slice(0, last).join(""))).toBe(true);
      expect(text.endsWith(written.slice(last + 1).join(""))).toBe(true);
      expect(text).toContain("!");
    }),
  );
});

function plain(body: string): string {
  return body
    .replace(/’/g, "'")
    .replace(/“/g, '"')
    .replace(/–/g, "-")
    .replace(/\u00a0/g, " ")
    .trimEnd();
}
