import fc from "fast-check";
import Type, { type TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { validateToolArguments } from "./validate-arguments.ts";

const tool = (parameters: TSchema) => ({ name: "edit", description: "", parameters });
const edits = Type.Array(Type.Object({ oldText: Type.String(), newText: Type.String() }));

describe("AI-54: arguments that do not fit are coerced where nothing is lost", () => {
  test.each([
    ["a numeric string", { n: Type.Number() }, { n: "5" }, { n: 5 }],
    ["a signed decimal string", { n: Type.Number() }, { n: " -1.5e2 " }, { n: -150 }],
    ["a boolean string", { b: Type.Boolean() }, { b: "false" }, { b: false }],
    ["a number for text", { s: Type.String() }, { s: 12 }, { s: "12" }],
    ["one value for a list", { l: Type.Array(Type.String()) }, { l: "a" }, { l: ["a"] }],
    ["null for an optional field", { s: Type.Optional(Type.String()) }, { s: null }, {}],
    [
      "null that the schema allows",
      { s: Type.Union([Type.Null(), Type.String()]) },
      { s: null },
      { s: null },
    ],
    [
      "a union by its first fitting branch",
      { u: Type.Union([Type.Null(), Type.Number()]) },
      { u: "3" },
      { u: 3 },
    ],
    [
      "B166: a list as JSON text",
      { edits },
      { edits: '[{"oldText":"x","newText":"y"}]' },
      { edits: [{ oldText: "x", newText: "y" }] },
    ],
    ["an object as JSON text", { o: Type.Object({ a: Type.Number() }) }, { o: '{"a":"1"}' }, { o: { a: 1 } }],
    ["missing arguments", { s: Type.Optional(Type.String()) }, undefined, {}],
  ])("%s", async (_name, properties, args, value) => {
    const check = await validateToolArguments(tool(Type.Object(properties as Record<string, TSchema>)), args);
    expect(check).toEqual({ ok: true, value });
  });

  test("an unknown field is dropped where the schema forbids it", async () => {
    const parameters = Type.Object({ a: Type.String() }, { additionalProperties: false });
    expect(await validateToolArguments(tool(parameters), { a: "x", note: 1 })).toEqual({
      ok: true,
      value: { a: "x" },
    });
  });

  test("whatever is valid already comes back as the same value", async () => {
    const parameters = Type.Object({
      s: Type.String(),
      n: Type.Optional(Type.Number()),
      l: Type.Array(Type.String()),
    });
    const value = fc.record(
      { s: fc.string(), n: fc.double({ noNaN: true, noDefaultInfinity: true }), l: fc.array(fc.string()) },
      { requiredKeys: ["s", "l"] },
    );
    await fc.assert(
      fc.asyncProperty(value, async (args) => {
        const check = await validateToolArguments(tool(parameters), args);
        expect(check.ok && check.value).toBe(args);
      }),
    );
  });
});

describe("B168: what cannot be coerced is told to the model", () => {
  test("the text names the place and the expectation and repeats the arguments", async () => {
    const parameters = Type.Object({ path: Type.String(), edits });
    const check = await validateToolArguments(tool(parameters), {
      path: { file: "a" },
      edits: [{ oldText: "x" }],
    });
    expect(check).toEqual({
      ok: false,
      message: [
        'The call of "edit" was not run: its arguments do not fit the tool\'s parameters.',
        "- path: must be string",
        "- edits.0: must have required properties newText",
        'Received: {"path":{"file":"a"},"edits":[{"oldText":"x"}]}',
        "Correct the arguments and call the tool again.",
      ].join("\n"),
    });
  });

  test.each([
    ["null text", "null"],
    ["a list", [1]],
    ["a number", 3],
  ])("%s is not an object", async (_name, args) => {
    const check = await validateToolArguments(tool(Type.Object({ a: Type.String() })), args);
    expect(check.ok).toBe(false);
  });

  test("a prototype key is data, not a prototype", async () => {
    const args = JSON.parse('{"__proto__": {"n": 1}, "n": "2"}');
    const check = await validateToolArguments(tool(Type.Object({ n: Type.Number() })), args);
    expect(check.ok && Object.getPrototypeOf(check.value)).toBe(Object.prototype);
  });
});

describe("AI-55: a schema that is no use disables only its tool", () => {
  test("the call is refused and nothing is thrown", async () => {
    const check = await validateToolArguments(
      tool({ type: "object", properties: { a: { $ref: "#/nope" } } } as TSchema),
      { a: 1 },
    );
    expect(check.ok).toBe(false);
  });
});
