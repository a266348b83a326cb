import type { AgentEventMap } from "@coppice/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createStyle } from "./style.ts";
import { toolLine } from "./tool-line.ts";

const result = { content: [{ type: "text", text: "x" }] } as const;
const end = (isError: boolean): AgentEventMap["tool_execution_end"] => ({
  ...{ toolCallId: "1", toolName: "t", result, isError, durationMs: 1 },
});

test("TO-32: a line for a call can be drawn whatever a model made up for its arguments", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.dictionary(fc.constantFrom("path", "command", "edits", "x"), fc.jsonValue()),
      fc.boolean(),
      (toolName, args, isError) => {
        const line = toolLine({ toolName, args, end: end(isError) }, createStyle(false));
        expect(["\n", "\u001b"].filter((character) => line.includes(character))).toEqual([]);
      },
    ),
  );
  for (const args of [null, undefined, "text", 5, ["ls"]]) {
    expect(toolLine({ toolName: "bash", args: args as never, end: end(true) }, createStyle(false))).toContain(
      "bash",
    );
  }
});
