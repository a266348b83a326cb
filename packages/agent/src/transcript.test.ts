import type { AssistantMessage } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import type { AgentMessage } from "./messages.ts";
import { isAnswered } from "./transcript.ts";

const user: AgentMessage = { role: "user", content: "go", timestamp: 0 };
const branch: AgentMessage = { role: "branchSummary", summary: "Tried X.", fromId: "e", timestamp: 0 };
const earlier: AgentMessage = { role: "compactionSummary", summary: "Goal.", tokensBefore: 9, timestamp: 0 };
const answer = (stopReason: AssistantMessage["stopReason"]): AgentMessage => scriptedMessage({ stopReason });

test.each([
  { name: "nothing", messages: [], expected: true },
  { name: "an answer", messages: [user, answer("stop")], expected: true },
  { name: "a question", messages: [user, answer("stop"), user], expected: false },
  { name: "a question whose answer failed", messages: [user, answer("error")], expected: false },
  {
    name: "B057: an answer and the summary of a left branch",
    messages: [user, answer("stop"), branch],
    expected: true,
  },
  { name: "a question and the summary of a left branch", messages: [user, branch], expected: false },
  { name: "only a summary of what came before", messages: [earlier], expected: false },
])("$name: answered is $expected", ({ messages, expected }) => {
  expect(isAnswered(messages)).toBe(expected);
});
