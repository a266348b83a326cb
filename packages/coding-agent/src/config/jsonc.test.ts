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
])("%j is read", async (text, expected) => {
  expect(await parseJsonc(text)).toEqual(expected);
});

test.each([
  ["{", "line 1, column 2: a close brace expected"],
  ['{"a" 1}', "line 1, column 6: a colon expected"],
  ['{\n  "a": nope\n}', "line 2, column 8: an invalid symbol"],
  ["{} {}", "line 1, column 4: an end of file expected"],
  ["/* open", "line 1, column 1: an unexpected end of comment"],
])("%j is refused with its place", async (text, message) => {
  await expect(parseJsonc(text)).rejects.toThrow(message);
});

test("__proto__ is a key like any other", async () => {
  const value = (await parseJsonc('{"__proto__": {"x": 1}}')) as object;
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
    expected: FILE.replace("  },\n}", '  },\n  "theme": "dark",\n}'),
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
  {
    name: "takes the last value out, a comment of its neighbour kept",
    path: ["compaction"],
    value: undefined,
    expected: '{\n  // The model of every day.\n  "model": "a/b",\n}\n',
  },
  { name: "leaves what is not there", path: ["no", "such"], value: undefined, expected: FILE },
])("editJsonc $name", async ({ path, value, expected }) => {
  expect(await editJsonc(FILE, { path, value })).toBe(expected);
});

test("an empty file becomes an object, a list as root is refused", async () => {
  expect(await editJsonc("", { path: ["a", "b"], value: [1] })).toBe(
    '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}\n',
  );
  await expect(editJsonc("[]", { path: ["a"], value: 1 })).rejects.toThrow(TypeError);
});

test("any edit of any object gives the value asked for and changes nothing else", async () => {
  const key = fc.constantFrom("a", "b", "c");
  const object = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())));
  const indent = fc.constantFrom(undefined, 2, "\t");
  await fc.assert(
    fc.asyncProperty(
      object,
      indent,
      fc.array(key, { minLength: 1, maxLength: 2 }),
      fc.jsonValue(),
      async (before, space, path, value) => {
        const text = JSON.stringify(before, undefined, space);
        const after = await parseJsonc(await editJsonc(text, { path, value }));
        const [first = "", second] = path;
        const inner: unknown = before[first];
        const kept = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
        const wanted = { ...before, [first]: second === undefined ? value : { ...kept, [second]: value } };
        expect(after).toEqual(JSON.parse(JSON.stringify(wanted)));
        const gone = await parseJsonc(await editJsonc(text, { path: [first], value: undefined }));
        const { [first]: _, ...rest } = before;
        expect(gone).toEqual(JSON.parse(JSON.stringify(rest)));
      },
    ),
  );
});

test("comments of neighbours, a byte order mark and line ends survive a removal", async () => {
  const text = '\uFEFF{\r\n  "a": 1, // of a\r\n  // of b\r\n  "b": 2\r\n}';
  expect(await editJsonc(text, { path: ["a"], value: undefined })).toBe(
    '\uFEFF{\r\n   // of a\r\n  // of b\r\n  "b": 2\r\n}',
  );
  expect(await editJsonc('{"a": 1,}', { path: ["a"], value: undefined })).toBe("{}");
  expect(await editJsonc(text, { path: ["c"], value: true })).toBe(
    '\uFEFF{\r\n  "a": 1, // of a\r\n  // of b\r\n  "b": 2,\r\n  "c": true\r\n}',
  );
});

test("of a key that comes twice the one that counts is changed, and none is left when it is taken out", async () => {
  const text = '{"c": {"x": 1}, "a": 1, "c": {"x": 2, "y": 3, "x": 4}}';
  const edited = async (path: readonly string[], value: unknown) =>
    parseJsonc(await editJsonc(text, { path, value }));
  expect(await edited(["c", "x"], 5)).toEqual({ a: 1, c: { x: 5, y: 3 } });
  expect(await edited(["c", "x"], undefined)).toEqual({ a: 1, c: { y: 3 } });
  expect(await edited(["c"], undefined)).toEqual({ a: 1 });
});
