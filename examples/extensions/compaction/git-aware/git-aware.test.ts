import { type AnyAgentTool, convertToLlm } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { createScenario } from "@coppice/coding-agent/testing";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { gitAware } from "./git-aware.ts";
import { gitOperationsOf } from "./git-messages.ts";

const bash: AnyAgentTool = {
  name: "bash",
  description: "Runs a command.",
  parameters: Type.Object({ command: Type.String() }),
  async execute(_id, { command }) {
    return { content: [{ type: "text", text: `ran: ${command}` }] };
  },
};

const long = (label: string) => `${label} ${"word ".repeat(1500)}`;

/** Turns of one question and one long answer; the second one commits and pushes in between. */
async function conversation(turns: number) {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 100_000 }),
    tools: [bash],
    answers: (request) => {
      const last = request.messages.at(-1);
      if (last?.role === "user" && textOf(last.content).includes("question 1")) {
        return scriptedToolCall("bash", { command: "cd /project && git add . && git commit -m fix" });
      }
      return long("answer");
    },
    extensions: [gitAware],
  });
  for (let turn = 0; turn < turns; turn++) await scenario.agent.prompt(`question ${turn}`);
  return scenario;
}

test("messages about git stay verbatim where they were, with the last five others", async () => {
  const { agent } = await conversation(9);
  await agent.compact();
  const { messages } = await agent.getContext();
  expect(messages.map(({ role }) => role)).toEqual([
    "compactionSummary",
    "assistant",
    "toolResult",
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(textOf(messages[2]?.role === "toolResult" ? messages[2].content : "")).toBe(
    "ran: cd /project && git add . && git commit -m fix",
  );
  const entry = (await agent.session.getEntries()).find(({ type }) => type === "compaction");
  expect(entry).toMatchObject({ fromHook: true, details: { preservedGitOps: 2 } });
  const summary = messages[0]?.role === "compactionSummary" ? messages[0].summary : "";
  expect(summary).toContain("## Git Operations\n- `git add .`\n- `git commit -m fix`");
  expect(summary).toContain("question 0");
  expect(convertToLlm(messages).length).toBe(messages.length);
});

test("with ten others or fewer the built-in compaction runs", async () => {
  const { agent } = await conversation(5);
  await agent.compact();
  const entry = (await agent.session.getEntries()).find(({ type }) => type === "compaction");
  expect(entry).toMatchObject({ fromHook: false });
});

test("a second compaction keeps the git messages again and carries the first summary", async () => {
  const { agent } = await conversation(9);
  await agent.compact();
  for (let turn = 10; turn < 17; turn++) await agent.prompt(`later ${turn}`);
  await agent.compact();
  const { messages } = await agent.getContext();
  expect(messages.filter(({ role }) => role === "toolResult")).toHaveLength(1);
  const summary = messages[0]?.role === "compactionSummary" ? messages[0].summary : "";
  expect(summary).toContain("question 0");
});

test("git commands are found in chained lines, each once, and words that contain git are none", () => {
  const call = (command: string) => ({
    role: "bashExecution" as const,
    command,
    output: "",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 0,
  });
  expect(
    gitOperationsOf([
      call("git status; ls | grep x && git push"),
      call("git status"),
      call("digit git"),
      call("cat .gitignore"),
    ]),
  ).toEqual(["git status", "git push"]);
});
