import { describe, expect, test } from "vitest";
import { answerOf, frames } from "../../../test/answer-of.ts";
import { JsonShape } from "./json-shape.ts";

interface Piece {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly args?: string;
}

const stream = (pieces: readonly Piece[]) =>
  frames(
    ...pieces.map(({ index, id, name, args }) => ({
      id: "m",
      choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } }],
    })),
    { id: "m", choices: [{ delta: {}, finish_reason: "tool_calls" }] },
  );

describe("AI-22: pieces of calls are joined", () => {
  test.each<{ name: string; pieces: readonly Piece[]; calls: readonly (readonly [string, string])[] }>([
    {
      name: "B100: by index, though each piece has another id",
      pieces: [
        { index: 0, id: "c1", name: "read", args: '{"pa' },
        { index: 0, id: "c1-1", args: 'th":"a' },
        { index: 0, id: "c1-2", args: '"}' },
      ],
      calls: [["c1", '{"path":"a"}']],
    },
    {
      name: "B101: not by index alone: a new name starts a new call",
      pieces: [
        { index: 0, id: "A", name: "read", args: '{"q":"x"}' },
        { index: 0, id: "B", name: "read", args: '{"q":"y"}' },
      ],
      calls: [
        ["A", '{"q":"x"}'],
        ["B", '{"q":"y"}'],
      ],
    },
    {
      name: "B101: a new id after whole arguments starts a new call, braces in strings aside",
      pieces: [
        { index: 0, id: "A", name: "read", args: '{"q":"}"' },
        { index: 0, id: "A2", args: "}" },
        { index: 0, id: "B", args: '{"q":"y"}' },
      ],
      calls: [
        ["A", '{"q":"}"}'],
        ["B", '{"q":"y"}'],
      ],
    },
    {
      name: "without an index, by id",
      pieces: [
        { id: "A", name: "read", args: '{"q"' },
        { id: "B", name: "read", args: "{}" },
        { id: "A", args: ":1}" },
      ],
      calls: [
        ["A", '{"q":1}'],
        ["B", "{}"],
      ],
    },
    {
      name: "without index and id, to the only call",
      pieces: [{ index: 0, id: "A", name: "read", args: '{"q"' }, { args: ":1}" }],
      calls: [["A", '{"q":1}']],
    },
    {
      name: "the name may come late",
      pieces: [
        { index: 0, id: "A", args: '{"q":' },
        { index: 0, name: "read", args: "1}" },
      ],
      calls: [["A", '{"q":1}']],
    },
  ])("$name", async ({ pieces, calls }) => {
    const { message } = await answerOf("openai-completions", stream(pieces));
    const found = message.content.map((block) =>
      block.type === "toolCall" ? [block.id, JSON.stringify(block.arguments)] : [],
    );
    expect(found).toEqual(calls);
  });

  test("a piece that could belong to two calls is an error, and nothing runs", async () => {
    const pieces = [
      { index: 0, id: "A", name: "read", args: "{" },
      { index: 1, id: "B", name: "read", args: "{" },
      { args: "}" },
    ];
    const { message } = await answerOf("openai-completions", stream(pieces));
    expect(message.error).toMatchObject({ code: "malformed_stream", retryable: true });
  });
});

test.each([
  ["", false],
  ["{", false],
  ["{}", true],
  ['{"a":"}"', false],
  ['{"a":"\\"}"', false],
  ['{"a":"\\\\"}', true],
  ["[{}]", true],
  ['"text"', false],
])("JSON %s is whole: %s", (text, isWhole) => {
  const shape = new JsonShape();
  for (const char of text) shape.add(char);
  expect(shape.isWhole).toBe(isWhole);
});
