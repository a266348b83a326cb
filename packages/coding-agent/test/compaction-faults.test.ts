import type { AnyAgentTool } from "@coppice/agent";
import type { ChatRequest } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createScenario, type Scenario } from "../src/testing/scenario.ts";

const SUMMARY =
  "## Goal\nFinish the task.\n\n## Progress\n### Done\n- [x] Some of it.\n\n## Next Steps\n1. Go on.";

const lastText = (request: ChatRequest | undefined) =>
  JSON.stringify(request?.messages.at(-1)?.content ?? "");
const isSummaryRequest = (request: ChatRequest) =>
  /<conversation>|about to be replaced by a summary/.test(lastText(request));

const look: AnyAgentTool = {
  name: "look",
  description: "Looks at something.",
  parameters: Type.Object({}),
  execute: async () => ({ content: [{ type: "text", text: "seen" }] }),
};

test("B057: a message typed while a branch summary is made is sent on the new branch after it", async () => {
  const scenario: Scenario = await createScenario({
    answers: (request) => {
      if (!isSummaryRequest(request)) return "an answer";
      scenario.agent.followUp("typed meanwhile");
      return SUMMARY;
    },
  });
  const { agent, model } = scenario;
  await agent.prompt("first");
  await agent.prompt("second");
  const entries = await agent.session.getEntries();
  const second = entries.filter((entry) => isEntry(entry, "message") && entry.message.role === "user")[1];
  const { summaryEntryId } = await agent.navigate(second?.id ?? null, { summarize: true });
  await agent.waitForIdle();
  expect(lastText(model.requests.at(-1))).toContain("typed meanwhile");
  expect(agent.clearQueue()).toEqual([]);
  const path = (await agent.session.getBranch()).filter(
    ({ id, type }) => type === "message" || id === summaryEntryId,
  );
  expect(
    path.map((entry) => (isEntry(entry, "message") ? entry.message.role : entry.type)).slice(-3),
  ).toEqual(["branch_summary", "user", "assistant"]);
});

test("CO-19: prompt and tools are in every request after a compaction, whatever a transform leaves of the messages", async () => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 40_000 }),
    tools: [look],
    answers: (request) => (isSummaryRequest(request) ? SUMMARY : "word ".repeat(3000)),
    extensions: [
      {
        name: "last-only",
        setup: (api) => {
          api.on("context", ({ messages }) => ({ messages: messages.slice(-1) }));
        },
      },
    ],
  });
  const { agent, model } = scenario;
  for (const text of ["one", "two", "three"]) await agent.prompt(text);
  await agent.compact();
  await agent.prompt("four");
  const before = model.requests[0];
  const after = model.requests.at(-1);
  expect(after?.messages).toHaveLength(1);
  expect(lastText(after)).toContain("four");
  expect(after?.systemPrompt).toBe(before?.systemPrompt);
  expect(after?.systemPrompt).not.toBe("");
  expect(after?.tools?.map(({ name }) => name)).toEqual(["look"]);
});
