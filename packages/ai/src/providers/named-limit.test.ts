import { expect, test } from "vitest";
import { namedLimitTokens } from "./named-limit.ts";

test.each([
  ["prompt is too long: 213462 tokens > 200000 maximum", 200_000],
  ["input length and `max_tokens` exceed context limit: 180000 + 21333 > 200000", 200_000],
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens.",
    8192,
  ],
  ["B078: Input length (300001) exceeds model's maximum context length (262144).", 262_144],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["the request exceeds the available context size (4096 tokens), try increasing it", 4096],
  ["context length (n_keep: 5000>= n_ctx: 4096)", 4096],
  ["maximum context length of 131,072 tokens", 131_072],
  ["B080: prompt too long; exceeded max context length by 417 tokens", undefined],
  ["Input is too long for requested model.", undefined],
  ["Too many tokens per minute, limit 12", undefined],
])("%s → %s", (text, expected) => {
  expect(namedLimitTokens(text)).toBe(expected);
});
