import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePartialArguments } from "./partial-json.ts";
import { parseToolArguments } from "./tool-arguments.ts";

const whole = { isCut: false };

describe("B106: arguments with one reading are repaired", () => {
  test.each([
    ["a closing bracket too many", '{"path":"a.txt"}}', { path: "a.txt" }],
    ["a raw newline in a string", '{"t":"a\nb\u0001"}', { t: "a\nb\u0001" }],
    ["an escape that JSON does not have", '{"re":"\\d+\\.ts"}', { re: "\\d+\\.ts" }],
    ["AI-25: \\u that starts no code", '{"t":"\\usepackage","x":"\\u00e9"}', { t: "\\usepackage", x: "é" }],
    ["a comma before the end", '{"a":[1,2, ],"b":"x,]" , }', { a: [1, 2], b: "x,]" }],
    ["an object encoded twice", '"{\\"a\\":1}"', { a: 1 }],
    ["B103: no text", " ", {}],
    ["null", "null", {}],
  ])("%s", (_name, text, value) => {
    expect(parseToolArguments(text, whole)).toEqual({ arguments: value });
  });

  test("a string that ends in a backslash keeps it", () => {
    expect(parseToolArguments('{"p":"C:\\\\"}', whole)).toEqual({ arguments: { p: "C:\\" } });
  });
});

describe("AI-25: everything else is an error that quotes the text", () => {
  test.each(['{"a":"con', '{"a":1', "[1]", "3", '{"a" 1}', "{a:1}", '{"a":1} and more', "not json"])(
    "%s",
    (text) => {
      expect(parseToolArguments(text, whole)).toEqual({
        arguments: {},
        argumentsError: `The arguments are not a JSON object: ${text}`,
      });
    },
  );

  test("long text is quoted at both ends", () => {
    const { argumentsError = "" } = parseToolArguments(`{"a":"${"x".repeat(5000)}`, whole);
    expect(argumentsError.length).toBeLessThan(300);
    expect(argumentsError).toContain("(5006 characters)");
  });

  test("AI-29: what was cut off is not repaired", () => {
    expect(parseToolArguments('{"a":1}}', { isCut: true }).argumentsError).toBeDefined();
    expect(parseToolArguments('{"a":1}', { isCut: true })).toEqual({ arguments: { a: 1 } });
  });

  test("no proper beginning of a JSON object is ever taken for a whole one", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, 1 + (at % (text.length - 1)));
        expect(parseToolArguments(cut, whole).argumentsError).toBeDefined();
      }),
    );
  });

  test("any text gives an object and never throws; JSON objects come back equal", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(typeof parseToolArguments(text, whole).arguments).toBe("object");
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(parseToolArguments(JSON.stringify(value), whole)).toEqual({
          arguments: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
  });
});

describe("for display", () => {
  test.each([
    ['{"path":"a.t', { path: "a.t" }],
    ['{"path":"a","n":1', { path: "a", n: 1 }],
    ["", {}],
    ["[1", {}],
    ["garbage", {}],
  ])("%s shows what is known", (text, value) => {
    expect(parsePartialArguments(text)).toEqual(value);
  });
});
