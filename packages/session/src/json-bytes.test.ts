import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfJson } from "./json-bytes.ts";

const endOf = (text: string): number => endOfJson(Buffer.from(text), 0);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("every value that JSON.stringify writes ends where its text ends", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const bytes = Buffer.from(JSON.stringify(value));
      expect(endOfJson(bytes, 0)).toBe(bytes.length);
    }),
  );
});

test("a text that is changed anywhere is accepted only as far as it is JSON", () => {
  const alphabet = fc.constantFrom(...'{}[]",:\\/0123456789.eE+-truefalsnb\0\n\t {é\u2028');
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.nat(),
      fc.array(alphabet, { maxLength: 3 }),
      fc.nat(2),
      (value, at, put, cut) => {
        const text = JSON.stringify(value);
        const from = at % (text.length + 1);
        const bytes = Buffer.from(text.slice(0, from) + put.join("") + text.slice(from + cut));
        const end = endOfJson(bytes, 0);
        if (end !== -1) expect(isJson(bytes.toString("utf8", 0, end))).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  "",
  "{",
  '"a',
  '"a\n"',
  '"\\x"',
  '"\\u12g4"',
  '"\\u123',
  "01",
  "-",
  "1.",
  ".5",
  "1e",
  "+1",
  "tru",
  "nul",
  "True",
  "[1,]",
  "[,1]",
  "{,}",
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  "{a:1}",
  "[1 2]",
])("%j is no value", (text) => {
  expect([endOf(text), isJson(text)]).toEqual([-1, false]);
});

test("white space between the parts and a depth that a stack may not hold are left to others", () => {
  expect(endOf('{"a": 1}')).toBe(-1);
  expect(endOf("[".repeat(100_000) + "]".repeat(100_000))).toBe(-1);
});
