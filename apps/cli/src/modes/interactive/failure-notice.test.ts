import { CodingAgentError } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { CliError } from "../../cli-error.ts";
import { failureNotice } from "./failure-notice.ts";

test("a busy agent is told in words for a person at the keyboard", () => {
  const busy = new CodingAgentError({
    code: "agent_busy",
    message: 'Cannot start "compact": the agent is busy',
  });
  expect(failureNotice(busy)).toBe("Busy. Press Esc to stop, or wait.");
  const closed = new CodingAgentError({ code: "agent_disposed", message: 'Cannot start "compact"' });
  expect(failureNotice(closed)).not.toContain("Cannot start");
});

test("any other failure says what happened and what to do", () => {
  expect(failureNotice(new CliError("usage", "bad flag", { advice: "Leave it out." }))).toBe(
    "bad flag\nLeave it out.",
  );
  expect(failureNotice("gone")).toBe("gone");
});
