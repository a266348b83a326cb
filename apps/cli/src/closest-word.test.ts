import { expect, test } from "vitest";
import { closestWord } from "./closest-word.ts";

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
