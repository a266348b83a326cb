import { scriptedMessage } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import type { FinishedTurn } from "./hooks.ts";
import { afterTool, anyOf, maxTurns } from "./stop.ts";

const message = scriptedMessage({ stopReason: "toolUse" });
const turn = (turnIndex: number, isError?: boolean): FinishedTurn => ({
  turnIndex,
  message,
  toolResults:
    isError === undefined
      ? []
      : [{ role: "toolResult", toolCallId: "c", toolName: "submit", content: [], isError, timestamp: 1 }],
});

test.each([
  { name: "maxTurns(2) before", condition: maxTurns(2), given: turn(0), stops: false },
  { name: "maxTurns(2) reached", condition: maxTurns(2), given: turn(1), stops: true },
  { name: "afterTool that succeeded", condition: afterTool("submit"), given: turn(0, false), stops: true },
  { name: "afterTool that failed", condition: afterTool("submit"), given: turn(0, true), stops: false },
  { name: "afterTool of another tool", condition: afterTool("other"), given: turn(0, false), stops: false },
  {
    name: "anyOf, the second",
    condition: anyOf(maxTurns(9), afterTool("submit")),
    given: turn(0, false),
    stops: true,
  },
  { name: "anyOf, none", condition: anyOf(maxTurns(9), afterTool("submit")), given: turn(0), stops: false },
])("$name: $stops", async ({ condition, given, stops }) => {
  expect(await condition(given)).toBe(stops);
});
