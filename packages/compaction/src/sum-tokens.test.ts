import type { AgentMessage } from "@coppice/agent";
import { expect, test } from "vitest";
import { estimateContextTokens } from "./estimate.ts";

const user = (tokens: number): AgentMessage => ({
  role: "user",
  content: "abcd".repeat(tokens),
  timestamp: 0,
});
const sizeOf = (messages: readonly AgentMessage[]) => estimateContextTokens({ messages }).tokens;

test("a conversation that grows, shrinks or changes in the middle is summed as it is now", () => {
  const [a, b, c, d] = [user(1), user(20), user(300), user(4000)];
  const own = [a, b];
  expect(sizeOf(own)).toBe(21);
  own.push(c);
  expect(sizeOf(own)).toBe(321);
  expect(sizeOf([a, b, c])).toBe(321);
  expect(sizeOf([a, d, c])).toBe(4301);
  expect(sizeOf([a])).toBe(1);
  expect(sizeOf([])).toBe(0);
});
