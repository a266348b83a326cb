import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each example as a reader runs it, with what it prints. */
test.each([
  {
    file: "00-readme.ts",
    prints: [
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      ...Array.from({ length: 3 }, () => "message_update"),
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "message_start",
      "message_end",
      "turn_end",
      "turn_start",
      "message_start",
      ...Array.from({ length: 4 }, () => "message_update"),
      "message_end",
      "turn_end",
      "agent_end",
      "agent_settled",
    ],
  },
  {
    file: "01-minimal.ts",
    prints: [
      "user: What is a coppice?",
      "assistant: A coppice is a wood that is cut back so that it grows again.",
    ],
  },
  {
    file: "02-tools.ts",
    prints: [
      "divide: error: b must not be 0",
      "divide: 42",
      "84 divided by 2 is 42; by 0 it cannot be divided.",
    ],
  },
  {
    file: "03-steering.ts",
    prints: [
      "user: Find oak.",
      "assistant: (a tool call)",
      "toolResult: 3 oaks",
      "user: Ash, please, not oak.",
      "assistant: Then I look for ash.",
      "user: Sum it up.",
      "assistant: Summary: oak was found, ash was asked for.",
      "handed back: 1",
    ],
  },
  {
    file: "04-hooks.ts",
    prints: ["Blocked: read stays out of /etc", "password: [secret]", "messages sent: 2, kept: 5"],
  },
  {
    file: "05-agent-as-tool.ts",
    prints: ["delegate: runs search", "delegate used its own tokens", "the total holds both: true"],
  },
])("examples/agent/$file runs", ({ file, prints }) => {
  const path = `${import.meta.dirname}/${file}`;
  const run = spawnSync(process.execPath, ["--conditions=@coppice/source", path], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.stdout.trimEnd().split("\n")).toEqual(prints);
});

test("the example of the package's README is 00-readme.ts, which is type-checked with the rest", () => {
  const readme = readFileSync(`${import.meta.dirname}/../../packages/agent/README.md`, "utf8");
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(blocks).toEqual([readFileSync(`${import.meta.dirname}/00-readme.ts`, "utf8")]);
});
