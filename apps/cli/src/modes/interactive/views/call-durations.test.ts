import type { AgentMessage } from "@coppice/agent";
import type { ToolCall } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { callDurations } from "./call-durations.ts";

const call = (id: string): ToolCall => ({ type: "toolCall", id, name: "bash", arguments: {} });
const result = (toolCallId: string, timestamp: number): AgentMessage => ({
  role: "toolResult",
  ...{ toolCallId, toolName: "bash", content: [], isError: false, timestamp },
});

test("a call took the time from the end of the answer that asked for it to its result; what cannot be is not known", async () => {
  const session = await new MemoryRepo({ now: () => 5_000 }).create({ cwd: "/x" });
  await session.appendMessage(scriptedMessage({ content: ["a", "b", "c", "open"].map(call) }));
  for (const message of [result("a", 5_012), result("b", 8_000), result("c", 4_000), result("lost", 9_000)]) {
    await session.appendMessage(message);
  }
  const { entries } = await session.buildContext();
  expect([...callDurations(entries)]).toEqual([
    ["a", 12],
    ["b", 3_000],
  ]);
});
