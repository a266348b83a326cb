import { textOf } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario } from "./testing/scenario.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";

test("instructions of a nested folder are announced once, when the agent first works there", async () => {
  const environment = createMemoryEnvironment({
    files: {
      "/project/AGENTS.md": "top",
      "/project/a/b/AGENTS.md": "nested",
      "/project/a/b/one.ts": "1",
      "/project/a/b/two.ts": "2",
    },
  });
  const scenario = await createScenario({
    environment,
    tools: createBuiltinTools({ cwd: "/project", environment }),
    answers: [
      scriptedToolCall("read", { path: "a/b/one.ts" }),
      scriptedToolCall("read", { path: "a/b/two.ts" }),
      scriptedToolCall("read", { path: "AGENTS.md" }),
      "done",
    ],
  });
  await scenario.agent.prompt("go");
  const results = (await scenario.agent.getContext()).messages.flatMap((message) =>
    message.role === "toolResult" ? [textOf(message.content)] : [],
  );
  expect(results.map((text) => text.includes("a/b/AGENTS.md (6 bytes) has instructions"))).toEqual([
    true,
    false,
    false,
  ]);
  expect(scenario.model.requests[0]?.systemPrompt).not.toContain("nested");
});
