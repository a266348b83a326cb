import { type Model, modelName } from "@coppice/ai";
import { expect, test } from "vitest";
import { matchModel } from "./match-model.ts";

const model = (provider: string, id: string): Model => ({
  id,
  name: id,
  provider,
  api: "x",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  contextWindow: 1,
  maxTokens: 1,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
});

const models = [
  model("a", "sonnet-5"),
  model("a", "opus-5"),
  model("router", "a/opus-5"),
  model("b", "llama:7b"),
  model("c", "llama:7b"),
  model("d", "big[1]"),
];
const match = (pattern: string, usable: readonly string[]) =>
  modelName(matchModel(pattern, { models, isUsable: (candidate) => usable.includes(candidate.provider) }));

test.each([
  { name: "a full name", pattern: "a/sonnet-5", usable: [], expected: "a/sonnet-5" },
  { name: "an id, whatever its case", pattern: "OPUS-5", usable: ["router"], expected: "a/opus-5" },
  {
    name: "a full name before an id that equals it",
    pattern: "a/opus-5",
    usable: ["router"],
    expected: "a/opus-5",
  },
  {
    name: "an id with a slash and the provider in front",
    pattern: "router/a/opus-5",
    usable: [],
    expected: "router/a/opus-5",
  },
  { name: "a colon in an id", pattern: "b/llama:7b", usable: [], expected: "b/llama:7b" },
  {
    name: "the same id at two providers: the one with a key",
    pattern: "llama:7b",
    usable: ["c"],
    expected: "c/llama:7b",
  },
  { name: "brackets as letters", pattern: "big[1]", usable: [], expected: "d/big[1]" },
  { name: "a unique part", pattern: "sonn", usable: [], expected: "a/sonnet-5" },
])("CL-03: takes $name", ({ pattern, usable, expected }) => {
  expect(match(pattern, usable)).toBe(expected);
});

test("CL-03: real ambiguity lists the candidates, an unknown name says so; both are usage errors", () => {
  expect(() => match("llama", ["b", "c"])).toThrow(
    expect.objectContaining({ message: '"llama" may be b/llama:7b, c/llama:7b', exitCode: 2 }),
  );
  expect(() => match("gpt", ["b"])).toThrow(
    expect.objectContaining({ message: 'No model is named "gpt"', exitCode: 2 }),
  );
});
