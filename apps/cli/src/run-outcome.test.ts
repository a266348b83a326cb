import type { AssistantMessage } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { RunOutcome } from "./run-outcome.ts";

function outcomeOf(...answers: Partial<AssistantMessage>[]) {
  const outcome = new RunOutcome({ logins: new Set() });
  for (const answer of answers) {
    const message = scriptedMessage({
      provider: "p",
      model: "m",
      content: [{ type: "text", text: "done" }],
      ...answer,
    });
    outcome.observe({ type: "message_end", message });
  }
  return outcome.failure();
}

const error = (code: string) => ({
  stopReason: "error" as const,
  content: [],
  errorMessage: "it said no",
  error: { code, retryable: false },
});

test("a complete answer is a success, also after a failed attempt", () => {
  expect(outcomeOf({})).toBeUndefined();
  expect(outcomeOf(error("overloaded"), {})).toBeUndefined();
});

test.each([
  { name: "B216: no answer", answers: [], message: "The model was not asked", exitCode: 1 },
  {
    name: "B216: a blank answer",
    answers: [{ content: [] }],
    message: "The model ended without an answer",
    exitCode: 1,
  },
  {
    name: "CL-04: a cut answer",
    answers: [{ stopReason: "length" as const }],
    message: "The answer reached the model's output limit",
    exitCode: 4,
  },
  {
    name: "B106: calls that cannot be read",
    answers: [
      {
        stopReason: "toolUse" as const,
        content: [
          { type: "text" as const, text: "Let me look." },
          { type: "toolCall" as const, id: "a", name: "work", arguments: {}, argumentsError: "no JSON" },
        ],
      },
    ],
    message: "The model's calls of tools could not be read",
    exitCode: 1,
  },
  { name: "B216: a refused key", answers: [error("auth")], message: "p/m: it said no", exitCode: 3 },
  { name: "a used-up quota", answers: [error("quota")], message: "p/m: it said no", exitCode: 4 },
  { name: "a network failure", answers: [error("network")], message: "p/m: it said no", exitCode: 1 },
  { name: "a code from elsewhere", answers: [error("toString")], message: "p/m: it said no", exitCode: 1 },
])("$name ends with $exitCode", ({ answers, message, exitCode }) => {
  expect(outcomeOf(...answers)).toMatchObject({ message, exitCode });
});

test("why an answer that did not fit was not asked for again is what is advised", () => {
  const outcome = new RunOutcome({ logins: new Set() });
  outcome.observe({ type: "message_end", message: scriptedMessage(error("context_overflow")) });
  outcome.observe({
    type: "diagnostic",
    level: "error",
    code: "context_overflow",
    message: "Nothing to shrink.",
  });
  expect(outcome.failure()).toMatchObject({ advice: "Nothing to shrink.", exitCode: 4 });
});
