import { type AssistantMessage, ZERO_USAGE } from "@coppice/ai";
import { expect, test } from "vitest";
import { isContextOverflow } from "./overflow.ts";

const answer = (fields: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text: "…" }],
  api: "scripted",
  provider: "p",
  model: "m",
  usage: ZERO_USAGE,
  stopReason: "stop",
  timestamp: 0,
  ...fields,
});
const usage = (input: number, output = 0) => ({ ...ZERO_USAGE, input, output });
const error = (code: string) => ({ stopReason: "error" as const, error: { code, retryable: false } });
const call = { type: "toolCall" as const, id: "1", name: "read", arguments: {} };

test.each([
  {
    name: "an error that says so",
    message: answer(error("context_overflow")),
    sentTokens: 0,
    expected: true,
  },
  { name: "B084: throttling", message: answer(error("rate_limited")), sentTokens: 9000, expected: false },
  {
    name: "a length stop in a full window",
    message: answer({ stopReason: "length", usage: usage(8100, 92) }),
    sentTokens: 8100,
    expected: true,
  },
  {
    name: "a length stop with room left",
    message: answer({ stopReason: "length", usage: usage(100, 4096) }),
    sentTokens: 100,
    expected: false,
  },
  {
    name: "B086: a prompt cut without a word",
    message: answer({ usage: usage(8192, 10) }),
    sentTokens: 15_000,
    expected: true,
  },
  {
    name: "a prompt that just fits",
    message: answer({ usage: usage(8190, 2) }),
    sentTokens: 8200,
    expected: false,
  },
  {
    name: "an answer with calls",
    message: answer({ content: [call], usage: usage(8192) }),
    sentTokens: 15_000,
    expected: false,
  },
  {
    name: "an abort",
    message: answer({ stopReason: "aborted", usage: usage(8192) }),
    sentTokens: 15_000,
    expected: false,
  },
])("$name → $expected", ({ message, sentTokens, expected }) => {
  expect(isContextOverflow(message, { contextWindow: 8192, sentTokens })).toBe(expected);
});
