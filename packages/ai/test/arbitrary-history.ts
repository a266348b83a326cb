import fc from "fast-check";
import type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  TextContent,
} from "../src/message.ts";
import type { Model } from "../src/model.ts";
import { ZERO_USAGE } from "../src/usage.ts";

/** The model that properties send to. */
export const TARGET: Model = {
  id: "m1",
  name: "M1",
  api: "anthropic-messages",
  provider: "p1",
  baseUrl: "http://127.0.0.1",
  reasoning: true,
  input: ["text", "image"],
  contextWindow: 200_000,
  maxTokens: 8000,
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
};

const text = fc.oneof(
  fc.constantFrom("", " ", "\r\n", "hello", "北京", "cut \ud83d", "\udd25 cut"),
  fc.string({ unit: "grapheme" }),
);
const id = fc.oneof(
  fc.constantFrom(
    "t1",
    "t2",
    "t3",
    "call_abc|fc_0123.é",
    "",
    "toolu_1_",
    "a".repeat(450),
    `${"a".repeat(64)}b`,
  ),
  fc.string(),
);
const textBlock = text.map((value): TextContent => ({ type: "text", text: value }));
const image = fc.constant<ImageContent>({ type: "image", data: "aGk=", mimeType: "image/png" });
const block = fc.oneof<fc.Arbitrary<AssistantContent>[]>(
  textBlock,
  fc.record(
    {
      type: fc.constant("thinking" as const),
      thinking: text,
      thinkingSignature: fc.constantFrom("sig1", "", "sig \ud83d"),
    },
    { requiredKeys: ["type", "thinking"] },
  ),
  fc.record({
    type: fc.constant("toolCall" as const),
    id,
    name: fc.constantFrom("read", "bash", "cut\ud83d"),
    arguments: fc.dictionary(fc.string(), fc.oneof(text, fc.integer())),
  }),
);

const assistant: fc.Arbitrary<AssistantMessage> = fc.record({
  role: fc.constant("assistant" as const),
  content: fc.array(block, { maxLength: 5 }),
  api: fc.constantFrom("anthropic-messages", "openai-completions"),
  provider: fc.constant("p1"),
  model: fc.constantFrom("m1", "m2"),
  usage: fc.constant(ZERO_USAGE),
  stopReason: fc.constantFrom(
    "stop" as const,
    "toolUse" as const,
    "length" as const,
    "error" as const,
    "aborted" as const,
  ),
  timestamp: fc.nat(),
});

const parts = fc.array(fc.oneof(textBlock, image), { maxLength: 3 });

/** Any history that a session might hold: calls without results, results without calls, failed turns, broken text. */
export const anyHistory: fc.Arbitrary<Message[]> = fc.array(
  fc.oneof<fc.Arbitrary<Message>[]>(
    fc.record({ role: fc.constant("user" as const), content: fc.oneof(text, parts), timestamp: fc.nat() }),
    assistant,
    fc.record({
      role: fc.constant("toolResult" as const),
      toolCallId: id,
      toolName: fc.constantFrom("read", "bash"),
      content: parts,
      isError: fc.boolean(),
      timestamp: fc.nat(),
    }),
    fc.record({ role: fc.constant("system" as const), content: text, timestamp: fc.nat() }),
  ),
  { maxLength: 14 },
);
