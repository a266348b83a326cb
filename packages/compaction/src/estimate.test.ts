import type { AgentMessage } from "@coppice/agent";
import { describe, expect, test } from "vitest";
import { estimateContextTokens, estimateTokens } from "./estimate.ts";
import { estimateTextTokens } from "./estimate-text.ts";
import { assistantMessage, usageOf } from "./testing/index.ts";

const user = (text: string, timestamp = 0): AgentMessage => ({ role: "user", content: text, timestamp });

describe("estimateTextTokens", () => {
  test.each([
    ["", 0],
    ["a", 1],
    ["a".repeat(160), 40],
    ["字".repeat(160), 112],
    ["かな".repeat(30), 44],
    ["한글".repeat(30), 44],
    ["я".repeat(100), 27],
    ["🌳", 2],
  ])("B065: %s takes %i tokens", (text, expected) => {
    expect(estimateTextTokens(text)).toBe(expected);
  });
});

describe("estimateTokens", () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  const base = {
    user: { role: "user", content: [{ type: "text", text: "x" }], timestamp: 0 },
    assistant: assistantMessage("x"),
    result: {
      role: "toolResult",
      toolCallId: "1",
      toolName: "read",
      content: [],
      isError: false,
      timestamp: 0,
    },
  } as const;
  test.each<[string, AgentMessage, AgentMessage]>([
    ["an image", base.user, { ...base.user, content: [...base.user.content, image] }],
    ["an image in a result", base.result, { ...base.result, content: [image] }],
    [
      "thinking",
      base.assistant,
      assistantMessage([
        { type: "text", text: "x" },
        { type: "thinking", thinking: "hmm hmm" },
      ]),
    ],
    [
      "a call",
      base.assistant,
      assistantMessage([
        { type: "text", text: "x" },
        { type: "toolCall", id: "1", name: "read", arguments: {} },
      ]),
    ],
    [
      "call arguments",
      assistantMessage([{ type: "toolCall", id: "1", name: "read", arguments: {} }]),
      assistantMessage([{ type: "toolCall", id: "1", name: "read", arguments: { path: "a/b/c/d.ts" } }]),
    ],
    [
      "command output",
      { role: "bashExecution", command: "ls", output: "", cancelled: false, truncated: false, timestamp: 0 },
      {
        role: "bashExecution",
        command: "ls",
        output: "a".repeat(9),
        cancelled: false,
        truncated: false,
        timestamp: 0,
      },
    ],
    [
      "a custom message",
      { role: "custom", customType: "x", content: "", display: true, timestamp: 0 },
      { role: "custom", customType: "x", content: "long text here", display: true, timestamp: 0 },
    ],
    [
      "a summary",
      { role: "compactionSummary", summary: "", tokensBefore: 0, timestamp: 0 },
      { role: "compactionSummary", summary: "long text here", tokensBefore: 0, timestamp: 0 },
    ],
  ])("CO-18: %s counts", (_name, without, withIt) => {
    expect(estimateTokens(withIt)).toBeGreaterThan(estimateTokens(without));
  });

  test("a command that the model never sees counts nothing", () => {
    const hidden: AgentMessage = {
      role: "bashExecution",
      command: "env",
      output: "secrets",
      cancelled: false,
      truncated: false,
      excludeFromContext: true,
      timestamp: 0,
    };
    expect(estimateTokens(hidden)).toBe(0);
  });

  test("another estimator is asked, and each one's answer is remembered apart", () => {
    const message = user("four");
    expect(estimateTokens(message, { estimateText: (text) => text.length })).toBe(4);
    expect(estimateTokens(message)).toBe(1);
  });
});

describe("estimateContextTokens", () => {
  const tools = [{ name: "read", description: "Reads a file.", parameters: { type: "object" } }];

  test("B068: a report counts cached tokens and the answer; only the tail is estimated", () => {
    const usage = usageOf({ input: 2000, cacheRead: 125_000, output: 206 });
    const messages = [user("a"), assistantMessage("b", { usage }), user("x".repeat(400))];
    expect(estimateContextTokens({ messages, systemPrompt: "ignored here", tools })).toEqual({
      tokens: 127_306,
      reportedTokens: 127_206,
      isEstimate: false,
    });
  });

  test("CO-02, B048: failed, aborted and all-zero answers are stepped over", () => {
    const messages = [
      user("a"),
      assistantMessage("b", { usage: usageOf({ input: 150_000 }) }),
      ...(["error", "aborted", "stop"] as const).map((stopReason) => assistantMessage("", { stopReason })),
      user("x".repeat(160_000)),
    ];
    expect(estimateContextTokens({ messages }).tokens).toBe(190_000);
  });

  test("without a report everything is estimated, system prompt and tools included", () => {
    const size = estimateContextTokens({
      messages: [user("x".repeat(40))],
      systemPrompt: "y".repeat(400),
      tools,
    });
    expect(size).toEqual({ tokens: 10 + 100 + 10, reportedTokens: 0, isEstimate: true });
  });

  test("B046, CO-01: a report from before the compaction summary is ignored", () => {
    const summary: AgentMessage = { role: "compactionSummary", summary: "s", tokensBefore: 9, timestamp: 50 };
    const kept = assistantMessage("kept", { usage: usageOf({ input: 185_000 }), timestamp: 40 });
    expect(estimateContextTokens({ messages: [summary, kept, user("ok", 60)] })).toEqual({
      tokens: 3,
      reportedTokens: 0,
      isEstimate: true,
    });
  });

  test("an index given by the host decides over time stamps", () => {
    const messages = [assistantMessage("a", { usage: usageOf({ input: 900 }) }), user("ok")];
    expect(estimateContextTokens({ messages, usageValidFrom: 0 }).reportedTokens).toBe(900);
    expect(estimateContextTokens({ messages, usageValidFrom: 1 }).reportedTokens).toBe(0);
  });
});

describe("what a text is made of", () => {
  test.each([
    [
      "CO-18: random text costs far more than words",
      "aGVsbG8gd29ybGQx".repeat(20),
      "words and words ".repeat(20),
    ],
    ["digits cost more than letters", "1234567890".repeat(20), "abcdefghij".repeat(20)],
    ["punctuation costs more than letters", "});({[;".repeat(20), "letters".repeat(20)],
  ])("%s", (_name, dear, cheap) => {
    expect(estimateTextTokens(dear)).toBeGreaterThan(estimateTextTokens(cheap) * 1.3);
  });

  test("indentation costs little", () => {
    expect(estimateTextTokens(`${" ".repeat(40)}x`)).toBe(1);
  });

  test("a huge text is measured by slices, to within 5 % of the whole", () => {
    const line = (index: number) =>
      `2026-01-01 INFO request ${index} took ${index % 90} ms: 完成 {"ok":true}\n`;
    const lines = Array.from({ length: 4000 }, (_, index) => line(index));
    const whole = lines.reduce((sum, text) => sum + estimateTextTokens(text), 0);
    const bySlices = estimateTextTokens(lines.join(""));
    expect(Math.abs(bySlices / whole - 1)).toBeLessThan(0.05);
  });
});
