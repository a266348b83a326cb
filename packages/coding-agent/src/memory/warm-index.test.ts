import { MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { createScenario } from "../testing/scenario.ts";
import { createRecallTool } from "../tools/recall/tool.ts";

test("the index is built behind a run, only where recall is active, and a failure of it stops nothing", async () => {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  let built = 0;
  session.buildIndex = async () => {
    built++;
    throw new Error("unreadable");
  };
  const scenario = await createScenario({
    session,
    tools: [createRecallTool({ session })],
    answers: () => "answer",
  });
  expect(built).toBe(0);
  await scenario.agent.prompt("one");
  expect(built).toBe(1);
  await scenario.agent.setActiveTools([]);
  await scenario.agent.prompt("two");
  expect(built).toBe(1);
  expect(scenario.eventsOf("diagnostic")).toEqual([]);
});
