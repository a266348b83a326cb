import { MemoryRepo } from "@coppice/session";
import { expect, onTestFinished, test, vi } from "vitest";
import { createScenario } from "../testing/scenario.ts";
import { createRecallTool } from "../tools/recall/tool.ts";

test("the index is built some time after a run, only where recall is active, and a failure of it stops nothing", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
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
  expect(built).toBe(0);
  await vi.runAllTimersAsync();
  expect(built).toBe(1);
  await scenario.agent.setActiveTools([]);
  await scenario.agent.prompt("two");
  await vi.runAllTimersAsync();
  expect(built).toBe(1);
  expect(scenario.eventsOf("diagnostic")).toEqual([]);
});
