import { buildContext } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryPath } from "../test/arbitrary-path.ts";
import { scriptEstimator } from "./estimate-text.ts";
import { EXTRACT_NOTE, extractSummary } from "./extract.ts";
import { pathBuilder } from "./testing/index.ts";

test("an extract says what it is and quotes requests, calls and last words", () => {
  const builder = pathBuilder();
  builder.user("Fix the parser.\nKeep the tests.");
  builder.toolCall("t1", "read", { path: "parser.ts" });
  builder.toolResult("t1", "content");
  builder.user("And the docs.");
  builder.assistant("I changed parser.ts; the docs come next.");
  const { messages } = buildContext(builder.path);
  expect(
    extractSummary({ messages, previousSummary: `${EXTRACT_NOTE}\n\n## Goal\nOld goal`, maxTokens: 1000 }),
  ).toBe(
    [
      EXTRACT_NOTE,
      "## Earlier Summary\n### Goal\nOld goal",
      "## Goal\n- Fix the parser.\n  Keep the tests.",
      "## Later Requests\n- And the docs.",
      '## Progress\n- read {"path":"parser.ts"}',
      "## Next Steps\n- Last said by the assistant: I changed parser.ts; the docs come next.",
    ].join("\n\n"),
  );
});

test("an extract of any history is well formed, bounded, and the same each time", () => {
  fc.assert(
    fc.property(arbitraryPath({ maxTurns: 6 }), fc.integer({ min: 100, max: 4000 }), (path, maxTokens) => {
      const { messages } = buildContext(path);
      const text = extractSummary({ messages, maxTokens });
      expect(text.isWellFormed()).toBe(true);
      expect(scriptEstimator.estimateText(text)).toBeLessThanOrEqual(maxTokens);
      expect(extractSummary({ messages, maxTokens })).toBe(text);
    }),
  );
});
