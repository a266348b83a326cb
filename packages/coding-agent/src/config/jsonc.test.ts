import fc from "fast-check";
import { expect, test } from "vitest";
import { editJsonc } from "./edit-jsonc.ts";
import { parseJsonc } from "./jsonc.ts";

test.each([
  [
    '\uFEFF{"a": 1, // one\n "b": [1, 2,], /* two */ "c": {"d": null,},}',
    { a: 1, b: [1, 2], c: { d: null } },
  ],
  ['{"a": "// no /* comment", "a": 2}', { a: 2 }],
  [" // only\n true", true],
])("%j is read", (text, expected) => {
  expect(parseJsonc(text).value).toEqual(expected);
});

test.each([
  ["{", "line 1, column 2: a key in double quotes expected"],
  ['{"a" 1}', 'line 1, column 6: ":" expected'],
  ['{\n  "a": nope\n}', "line 2, column 8: a JSON value expected"],
  ["{} x", "line 1, column 4: the end of the file expected"],
  ["/* open", 'line 1, column 1: "*/" expected'],
])("%j is refused with its place", (text, message) => {
  expect(() => parseJsonc(text)).toThrow(message);
});

test("__proto__ is a key like any other", () => {
  const value = parseJsonc('{"__proto__": {"x": 1}}').value as object;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect((value as { readonly x?: number }).x).toBe(undefined);
});

const FILE = `{
  // The model of every day.
  "model": "a/b",
  "compaction": {
    "enabled": true // always
  },
}
`;

test.each([
  { name: "changes a value in place", path: ["model"], value: "c/d", expected: FILE.replace("a/b", "c/d") },
  {
    name: "adds behind a trailing comma",
    path: ["theme"],
    value: "dark",
    expected: FILE.replace("  },\n}", '  },\n  "theme": "dark"\n}'),
  },
  {
    name: "adds deep down, the comment kept",
    path: ["compaction", "keepRecentTokens"],
    value: 10,
    expected: FILE.replace(
      '"enabled": true // always',
      '"enabled": true,\n    "keepRecentTokens": 10 // always',
    ),
  },
  {
    name: "takes a value out",
    path: ["model"],
    value: undefined,
    expected: FILE.replace('\n  "model": "a/b",', ""),
  },
  { name: "leaves what is not there", path: ["no", "such"], value: undefined, expected: FILE },
])("editJsonc $name", ({ path, value, expected }) => {
  expect(editJsonc(FILE, { path, value })).toBe(expected);
});

test("an empty file becomes an object, a list as root is refused", () => {
  expect(editJsonc("", { path: ["a", "b"], value: [1] })).toBe(
    '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n',
  );
  expect(() => editJsonc("[]", { path: ["a"], value: 1 })).toThrow(TypeError);
});

test("any edit of any object gives the value asked for and changes nothing else", () => {
  const key = fc.constantFrom("a", "b", "c");
  const object = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())));
  const indent = fc.constantFrom(undefined, 2, "\t");
  fc.assert(
    fc.property(
      object,
      indent,
      fc.array(key, { minLength: 1, maxLength: 2 }),
      fc.jsonValue(),
      (before, space, path, value) => {
        const after = parseJsonc(editJsonc(JSON.stringify(before, undefined, space), { path, value })).value;
        const [first = "", second] = path;
        const inner: unknown = before[first];
        const kept = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
        const wanted = { ...before, [first]: second === undefined ? value : { ...kept, [second]: value } };
        expect(after).toEqual(JSON.parse(JSON.stringify(wanted)));
        const gone = parseJsonc(
          editJsonc(JSON.stringify(before, undefined, space), { path: [first], value: undefined }),
        );
        const { [first]: _, ...rest } = before;
        expect(gone.value).toEqual(JSON.parse(JSON.stringify(rest)));
      },
    ),
  );
});
