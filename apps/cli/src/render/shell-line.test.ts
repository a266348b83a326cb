import type { BashExecutionMessage } from "@coppice/agent";
import { expect, test } from "vitest";
import { shellLine } from "./shell-line.ts";

const ran = { role: "bashExecution", command: "npm test", output: "", timestamp: 0 } as const;
const ended = { ...ran, exitCode: 0, cancelled: false, truncated: false } satisfies BashExecutionMessage;

test.each([
  [ended, "$ npm test"],
  [{ ...ended, exitCode: 2, truncated: true }, "$ npm test  (exit 2, output cut)"],
  [{ ...ended, exitCode: 130, cancelled: true }, "$ npm test  (stopped)"],
  [{ ...ended, excludeFromContext: true }, "$ npm test  (not shown to the model)"],
])("%j", (message, line) => {
  expect(shellLine(message)).toBe(line);
});
