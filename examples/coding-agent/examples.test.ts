import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Each example as a reader runs it, with what it prints. */
test.each([
  {
    file: "01-library.ts",
    prints: [
      "I'll search for a definition of plant.",
      "[grep]",
      "Found it in wood.ts; reading around line 2.",
      "[read]",
      "`plant` is defined at **wood.ts:2**:",
      "",
      "```",
      "// A wood.",
      "export function plant() {}",
      "```",
      "",
      expect.stringContaining("This is Coppice's offline demo"),
    ],
  },
  {
    file: "02-custom-tool.ts",
    prints: [
      "read: oak: 120 rings",
      'tree_age failed: The call of "tree_age" was not run: its arguments do not fit the tool\'s parameters.',
      "tree_age: 120 years",
      "tools: bash, edit, find, grep, ls, read, write, tree_age",
    ],
  },
  {
    file: "03-permission-hook.ts",
    prints: [
      "read ran",
      "write refused: Blocked: Lock files are written by the package manager.",
      "write ran",
      "asked: write c.txt, always by write(c.txt)",
      "write ran",
      expect.stringContaining('bash refused: Blocked: Not allowed: The rule "bash(rm *)" forbids it.'),
      "asked: bash make, always by bash(make)",
      expect.stringContaining("bash refused: Blocked: The user did not allow this call."),
    ],
  },
  {
    file: "04-in-memory-session.ts",
    prints: [
      "the second agent sent 3 messages",
      "now it sent 3",
      "user: in",
      "assistant: in",
      "user: other_branch",
      "assistant: other_branch",
      "user: in",
      "assistant: in",
      "a fork has 4 messages",
    ],
  },
  {
    file: "05-remote-environment.ts",
    prints: [
      "read: oak | ash",
      "read failed: nothing.txt does not exist.",
      "edit: Changed wood.txt (1 edit).",
      "grep: wood.txt:2:elm",
      "bash failed: elm | oak | [Command exited with code 3.]",
      'on the other side: "oak\\nelm\\n"',
    ],
  },
  {
    file: "06-git-aware-compaction.ts",
    prints: [
      "smaller: true",
      "compactionSummary: ## Git Operations - `git commit -am 'Plant an oak'`",
      "assistant: git commit -am 'Plant an oak'",
      "toolResult: [main 1a2b3c4] Plant an oak",
      "assistant: Answer 5",
      "user: Question 7",
      "assistant: Answer 6",
      "user: Question 8",
      "assistant: Answer 7",
    ],
  },
])("examples/coding-agent/$file runs", ({ file, prints }) => {
  const path = `${import.meta.dirname}/${file}`;
  const run = spawnSync(process.execPath, ["--conditions=@coppice/source", path], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.stdout.trimEnd().split("\n")).toEqual(prints);
});
