import { describe, expect, test } from "vitest";
import { serializeConversation, TOOL_RESULT_CHARS } from "./serialize-conversation.ts";
import { assistantMessage, pathBuilder } from "./testing/index.ts";

function messagesOf(builder: ReturnType<typeof pathBuilder>) {
  return builder.path.map((entry) => (entry as unknown as { readonly message: never }).message);
}

describe("serializeConversation", () => {
  test("shows each kind of message as labelled text, without thinking", () => {
    const text = serializeConversation([
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image", data: "A", mimeType: "image/png" },
        ],
        timestamp: 0,
      },
      assistantMessage(
        [
          { type: "thinking", thinking: "secret thought" },
          { type: "text", text: "I will." },
          { type: "toolCall", id: "1", name: "read", arguments: { path: "a.ts", limit: 5 } },
          { type: "toolCall", id: "2", name: "ls", arguments: {} },
        ],
        { stopReason: "toolUse" },
      ),
      {
        role: "toolResult",
        toolCallId: "1",
        toolName: "read",
        content: [{ type: "text", text: "x" }],
        isError: false,
        timestamp: 0,
      },
      { role: "toolResult", toolCallId: "2", toolName: "ls", content: [], isError: true, timestamp: 0 },
      { role: "bashExecution", command: "ls", output: "a", cancelled: false, truncated: false, timestamp: 0 },
      {
        role: "bashExecution",
        command: "env",
        output: "S",
        cancelled: false,
        truncated: false,
        excludeFromContext: true,
        timestamp: 0,
      },
      { role: "custom", customType: "note", content: "noted", display: false, timestamp: 0 },
      { role: "branchSummary", summary: "other way", fromId: "x", timestamp: 0 },
      { role: "system", content: "prompt", timestamp: 0 },
    ]);
    expect(text).toBe(
      [
        "[User]: Look\n[image image/png]",
        "[Assistant]: I will.",
        '[Assistant tool calls]: read(path="a.ts", limit=5); ls()',
        "[Tool result]: x",
        "[Tool error]: (empty)",
        "[User ran]: ls\na",
        "[Context]: noted",
        "[Summary of a branch that was left]: other way",
      ].join("\n\n"),
    );
  });

  test("B039, CO-09: a long result is clipped with a mark that says how much, between whole characters", () => {
    const builder = pathBuilder();
    builder.toolResult("1", `${"🌳".repeat(500_000)}`);
    const text = serializeConversation(messagesOf(builder));
    expect(text.length).toBeLessThan(TOOL_RESULT_CHARS + 100);
    expect(text).toMatch(/\[… 99\d\d\d\d characters cut …\]/);
    expect(text.isWellFormed()).toBe(true);
  });
});
