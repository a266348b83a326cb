import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each example as a reader runs it, with what it prints. */
test.each([
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
])("examples/agent/$file runs", ({ file, prints }) => {
  const path = `${import.meta.dirname}/${file}`;
  const run = spawnSync(process.execPath, ["--conditions=@coppice/source", path], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.stdout.trimEnd().split("\n")).toEqual(prints);
});

test("the example of the package's README runs", () => {
  const readme = readFileSync(`${import.meta.dirname}/../../packages/agent/README.md`, "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const run = spawnSync(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module-typescript", "--eval", code],
    { encoding: "utf8", cwd: import.meta.dirname },
  );
  expect(run.stderr).toBe("");
  expect(run.stdout.trimEnd().split("\n").slice(-2)).toEqual(["agent_end", "agent_settled"]);
});
