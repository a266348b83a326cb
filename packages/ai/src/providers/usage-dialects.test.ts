import { describe, expect, test } from "vitest";
import { ANSWERS, answerOf } from "../../test/answer-of.ts";

interface Row {
  readonly name: string;
  readonly api: string;
  readonly usage: unknown;
  /** input, output, cacheRead, cacheWrite, reasoning, totalTokens. */
  readonly counts: readonly [number, number, number, number, number | undefined, number];
}

describe("AI-42: the same counts from every dialect", () => {
  test.each<Row>([
    {
      name: "B068: Anthropic's input is without the cached tokens",
      api: "anthropic-messages",
      usage: {
        input_tokens: 2000,
        cache_read_input_tokens: 125_000,
        cache_creation_input_tokens: 0,
        output_tokens: 206,
      },
      counts: [2000, 206, 125_000, 0, undefined, 127_206],
    },
    {
      name: "B067: OpenAI's prompt holds the cached tokens",
      api: "openai-completions",
      usage: {
        prompt_tokens: 184_704,
        completion_tokens: 49,
        prompt_tokens_details: { cached_tokens: 183_936 },
      },
      counts: [768, 49, 183_936, 0, undefined, 184_753],
    },
    {
      name: "B071: reasoning is inside the completion",
      api: "openai-completions",
      usage: {
        prompt_tokens: 10,
        completion_tokens: 500,
        completion_tokens_details: { reasoning_tokens: 300 },
      },
      counts: [10, 500, 0, 0, 300, 510],
    },
    {
      name: "B071: reasoning beside the completion, as the total tells",
      api: "openai-completions",
      usage: {
        prompt_tokens: 10,
        completion_tokens: 200,
        total_tokens: 510,
        completion_tokens_details: { reasoning_tokens: 300 },
      },
      counts: [10, 500, 0, 0, 300, 510],
    },
    {
      name: "cached tokens beside the details",
      api: "openai-completions",
      usage: { prompt_tokens: 100, completion_tokens: 1, cached_tokens: 90 },
      counts: [10, 1, 90, 0, undefined, 101],
    },
    {
      name: "DeepSeek's hits",
      api: "openai-completions",
      usage: { prompt_tokens: 100, completion_tokens: 1, prompt_cache_hit_tokens: 90 },
      counts: [10, 1, 90, 0, undefined, 101],
    },
    {
      name: "cache writes of a relay",
      api: "openai-completions",
      usage: {
        prompt_tokens: 100,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 50 },
      },
      counts: [10, 1, 40, 50, undefined, 101],
    },
    {
      name: "the Responses API",
      api: "openai-responses",
      usage: {
        input_tokens: 100,
        output_tokens: 20,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens_details: { reasoning_tokens: 15 },
      },
      counts: [40, 20, 60, 0, 15, 120],
    },
    {
      name: "Gemini's thoughts stand beside the candidates",
      api: "google-generative-ai",
      usage: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 15,
      },
      counts: [40, 20, 60, 0, 15, 120],
    },
  ])("$name", async ({ api, usage, counts }) => {
    const { message } = await answerOf(api, ANSWERS[api]?.({ usage }) ?? "");
    const { input, output, cacheRead, cacheWrite, reasoning, totalTokens } = message.usage;
    expect([input, output, cacheRead, cacheWrite, reasoning, totalTokens]).toEqual(counts);
  });
});

describe.each(Object.keys(ANSWERS))("AI-43: %s stores zeroes for a usage that says nothing", (api) => {
  const fields: Readonly<Record<string, readonly string[]>> = {
    "anthropic-messages": ["input_tokens", "output_tokens", "cache_read_input_tokens"],
    "openai-responses": ["input_tokens", "output_tokens"],
    "openai-completions": ["prompt_tokens", "completion_tokens"],
    "google-generative-ai": ["promptTokenCount", "candidatesTokenCount"],
  };
  test.each([
    { name: "null", usage: null },
    { name: "a number", usage: 7 },
    { name: "nothing in it", usage: {} },
    ...[null, -5, "many", {}, true].map((value) => ({
      name: `counts that are ${JSON.stringify(value)}`,
      usage: Object.fromEntries((fields[api] ?? []).map((field) => [field, value])),
    })),
  ])("$name", async ({ usage }) => {
    const { message } = await answerOf(api, ANSWERS[api]?.({ usage }) ?? "");
    const { cost, ...counts } = message.usage;
    expect(counts).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 });
    expect(cost.total).toBe(0);
    expect(message.stopReason).toBe("stop");
  });
});
