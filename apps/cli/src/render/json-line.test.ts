import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLine } from "./json-line.ts";

test("B209: U+2028 and C1 controls are escaped, the value stays the same", () => {
  expect(jsonLine({ x: "a\u2028b\u009bc\u001b" })).toBe('{"x":"a\\u2028b\\u009bc\\u001b"}\n');
});

test("B209: any value is one line that reads back as itself", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = jsonLine(value);
      expect(line.slice(0, -1)).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
      expect(line.endsWith("\n")).toBe(true);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
