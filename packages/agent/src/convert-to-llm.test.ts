import { expect, test } from "vitest";
import { convertToLlm } from "./convert-to-llm.ts";
import type { AgentMessage, BashExecutionMessage } from "./messages.ts";

const bash: BashExecutionMessage = {
  role: "bashExecution",
  command: "ls",
  output: "a\nb\n",
  exitCode: 0,
  cancelled: false,
  truncated: false,
  timestamp: 5,
};
const fence = "```";

test.each<{ name: string; message: AgentMessage; shown: string | undefined }>([
  {
    name: "a custom message as it is",
    message: { role: "custom", customType: "x", content: "note", display: true, timestamp: 5 },
    shown: "note",
  },
  {
    name: "a compaction summary in a frame",
    message: { role: "compactionSummary", summary: "S", tokensBefore: 9, timestamp: 5 },
    shown:
      "Earlier parts of this conversation were replaced by the following summary:\n\n<summary>\nS\n</summary>",
  },
  {
    name: "a branch summary in a frame",
    message: { role: "branchSummary", summary: "S", fromId: "e", timestamp: 5 },
    shown:
      "The conversation went another way and came back here. Summary of what was left:\n\n<summary>\nS\n</summary>",
  },
  {
    name: "a command with its output",
    message: bash,
    shown: `The user ran a command:\n${fence}\nls\n${fence}\n\n${fence}\na\nb\n${fence}`,
  },
  {
    name: "a command that failed, was shortened, and whose output holds a fence",
    message: { ...bash, output: fence, exitCode: 2, truncated: true, fullOutputPath: "/tmp/x" },
    shown: `The user ran a command:\n${fence}\nls\n${fence}\n\n${fence}\`\n${fence}\n${fence}\`\n\nThe command exited with code 2.\n\nThe output was shortened. All of it: /tmp/x`,
  },
  {
    name: "a cancelled command without output",
    message: { ...bash, output: "", cancelled: true },
    shown: `The user ran a command:\n${fence}\nls\n${fence}\n\n(no output)\n\nThe command was cancelled.`,
  },
  {
    name: "not a command kept from the context",
    message: { ...bash, excludeFromContext: true },
    shown: undefined,
  },
  {
    name: "not a role that only a user interface knows",
    message: { role: "notice", text: "t" } as unknown as AgentMessage,
    shown: undefined,
  },
])("the model sees $name", ({ message, shown }) => {
  expect(convertToLlm([message])).toEqual(
    shown === undefined ? [] : [{ role: "user", content: shown, timestamp: 5 }],
  );
});

test("the model's own messages pass unchanged, the same objects", () => {
  const user = { role: "user", content: "hi", timestamp: 1 } as const;
  expect(convertToLlm([user])[0]).toBe(user);
});
