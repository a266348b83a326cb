import { expect, test } from "vitest";
import { geminiSchema } from "./schema.ts";

test.each([
  { name: "const is an enum of one", schema: { const: "a" }, becomes: { enum: ["a"] } },
  { name: "const beside an enum goes", schema: { enum: ["a"], const: "a" }, becomes: { enum: ["a"] } },
  { name: "a const of null is its type", schema: { const: null }, becomes: { type: "null" } },
  {
    name: "notes about the schema go",
    schema: { $schema: "x", $comment: "y", type: "object" },
    becomes: { type: "object" },
  },
  {
    name: "AI-17: references and their targets stay",
    schema: { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ const: 1 }, { type: "string" }] } } },
    becomes: { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ enum: [1] }, { type: "string" }] } } },
  },
  {
    name: "AI-17: data is no schema",
    schema: { default: { const: 1, $schema: 2 }, examples: [{ const: 1 }], enum: [{ const: 1 }] },
    becomes: { default: { const: 1, $schema: 2 }, examples: [{ const: 1 }], enum: [{ const: 1 }] },
  },
  {
    name: "AI-17: properties may have any name",
    schema: JSON.parse('{"properties":{"__proto__":{"const":1},"const":{"type":"string"},"$schema":{}}}'),
    becomes: JSON.parse('{"properties":{"__proto__":{"enum":[1]},"const":{"type":"string"},"$schema":{}}}'),
  },
  {
    name: "boolean and untyped schemas stay",
    schema: { items: {}, additionalProperties: false, prefixItems: [true] },
    becomes: { items: {}, additionalProperties: false, prefixItems: [true] },
  },
])("$name", ({ schema, becomes }) => {
  expect(JSON.stringify(geminiSchema(schema))).toBe(JSON.stringify(becomes));
});
