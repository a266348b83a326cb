import { dirname } from "node:path";
import type { ChatRequest } from "@coppice/ai";
import {
  type ScriptedReply,
  scriptedModel,
  scriptedStream,
  scriptedText,
  scriptedToolCall,
} from "@coppice/ai/testing";
import { type AgentHarness, createCodingAgent, createLocalEnvironment } from "@coppice/coding-agent";
import { ON_PREFIX_SUMMARIZATION_PROMPT } from "@coppice/compaction";
import { goodSummary } from "@coppice/compaction/testing";
import { JsonlRepo, type Session } from "@coppice/session";

export const TASK = "The test of this project fails. Fix the code, not the test.";
export const TEST_COMMAND = "node numbers.test.js";

const THOUGHTS = "I think about the numbers once more. ".repeat(150);

/** Says a lot before each call, so that a small window fills up. */
export const say = (...call: Parameters<typeof scriptedToolCall>): ScriptedReply => [
  scriptedText(THOUGHTS),
  scriptedToolCall(...call),
];

/** A coding agent on the real disk and shell, and a window of 16,000 tokens; summaries are no step of the script. */
export async function createFixingAgent(options: {
  readonly cwd: string;
  readonly session: Session;
  readonly steps: readonly ScriptedReply[];
}): Promise<{ readonly agent: AgentHarness; readonly requests: readonly ChatRequest[] }> {
  const { cwd, session } = options;
  const steps = [...options.steps];
  const streamFunction = scriptedStream((request) => {
    const newest = JSON.stringify(request.messages.at(-1)?.content);
    const isSummary = newest.includes(ON_PREFIX_SUMMARIZATION_PROMPT.slice(0, 60));
    return isSummary || newest.includes("<conversation>") ? goodSummary(TASK) : (steps.shift() ?? "Done.");
  });
  const agent = await createCodingAgent({
    ...{ cwd, session, streamFunction },
    model: scriptedModel({ contextWindow: 16_000, maxTokens: 2000 }),
    environment: createLocalEnvironment({
      environmentVariables: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
    }),
  });
  return { agent, requests: streamFunction.requests };
}

// As a process of its own: repairs half of the code and hangs in a command, whose start it tells.
if (import.meta.main) {
  const [directory = "", cwd = ""] = process.argv.slice(2);
  const session = await new JsonlRepo({ directory }).create({ cwd });
  const { agent } = await createFixingAgent({
    ...{ cwd, session },
    steps: [
      say("bash", { command: TEST_COMMAND }),
      ...Array.from({ length: 12 }, () => say("read", { path: "numbers.js" })),
      say("edit", { path: "numbers.js", edits: [{ oldText: "a - b", newText: "a + b" }] }),
      // Ends by itself once the agent is gone.
      say("bash", { command: "echo running; while kill -0 $PPID 2>/dev/null; do sleep 0.05; done" }),
    ],
  });
  agent.subscribe((event) => {
    const isRunning =
      event.type === "tool_execution_update" && JSON.stringify(event.partial).includes("running");
    if (isRunning) console.log(session.id);
  });
  await agent.prompt(TASK);
}
