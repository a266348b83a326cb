import { describe, expect, test } from "vitest";
import { ANSWERS, answerOf } from "../../test/answer-of.ts";

/** Raw reason → what it becomes: a stop reason, or the code of an error. */
const REASONS: Readonly<Record<string, readonly (readonly [raw: string, becomes: string])[]>> = {
  "anthropic-messages": [
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["refusal", "content_filtered"],
    ["sensitive", "content_filtered"],
    ["model_context_window_exceeded", "context_overflow"],
    ["foo_bar", "unknown"],
    ["constructor", "unknown"],
  ],
  "openai-responses": [
    ["completed", "stop"],
    ["max_output_tokens", "length"],
    ["content_filter", "content_filtered"],
  ],
  "openai-completions": [
    ["stop", "stop"],
    ["end", "stop"],
    ["eos", "stop"],
    ["tool_calls", "stop"],
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "content_filtered"],
    ["sensitive", "content_filtered"],
    ["network_error", "network"],
    ["error", "unknown"],
    ["foo_bar", "unknown"],
    ["__proto__", "unknown"],
  ],
  "google-generative-ai": [
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filtered"],
    ["RECITATION", "content_filtered"],
    ["PROHIBITED_CONTENT", "content_filtered"],
    ["MALFORMED_FUNCTION_CALL", "malformed_stream"],
    ["MISSING_THOUGHT_SIGNATURE", "rejected_signature"],
    ["OTHER", "unknown"],
    ["toString", "unknown"],
  ],
};

describe.each(Object.entries(REASONS))("AI-28, B109, B110: %s", (api, rows) => {
  test.each(rows)("%s becomes %s", async (raw, becomes) => {
    const { message } = await answerOf(api, ANSWERS[api]?.({ stop: raw }) ?? "");
    expect(message.error?.code ?? message.stopReason).toBe(becomes);
    // The raw reason is shown: it is all that a report has to go by.
    if (becomes === "unknown") expect(message.errorMessage).toContain(JSON.stringify(raw));
  });
});

test("B110: a lost model is retryable, a refusal is not", async () => {
  const completions = ANSWERS["openai-completions"];
  const errorOf = async (stop: string) =>
    (await answerOf("openai-completions", completions?.({ stop }) ?? "")).message.error;
  expect((await errorOf("network_error"))?.retryable).toBe(true);
  expect((await errorOf("error"))?.retryable).toBe(true);
  expect((await errorOf("content_filter"))?.retryable).toBe(false);
});
