import { expect, test } from "vitest";
import { closestByPart, closestWord } from "./closest-word.ts";

const KNOWN = ["baseUrl", "models", "modelOverrides", "contextWindow", "api", "apiKey", "reasoning"];

test.each([
  { word: "modles", expected: "models" },
  { word: "baseURL", expected: "baseUrl" },
  { word: "base_url", expected: "baseUrl" },
  { word: "context", expected: "contextWindow" },
  { word: "overrides", expected: "modelOverrides" },
  { word: "apikey", expected: "apiKey" },
  { word: "zzz", expected: undefined },
  { word: "", expected: undefined },
])("$word means $expected", ({ word, expected }) => {
  expect(closestWord(word, KNOWN)).toBe(expected);
});

const MODELS = [
  "openai/gpt-6.2-sol",
  "openai/gpt-6",
  "anthropic/claude-opus-5",
  "coppice/demo",
  "groq/openai/gpt-oss",
];

test.each([
  { written: "gtp-6", expected: ["openai/gpt-6", "openai/gpt-6.2-sol"] },
  { written: "opsu", expected: ["anthropic/claude-opus-5"] },
  { written: "dmeo", expected: ["coppice/demo"] },
  { written: "antropic/claude", expected: ["anthropic/claude-opus-5"] },
  { written: "zzzz", expected: [] },
  { written: "", expected: [] },
])("a part of $expected is near to $written", ({ written, expected }) => {
  expect(closestByPart(written, MODELS, 2)).toEqual(expected);
});
