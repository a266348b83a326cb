import { textOf } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario } from "./testing/scenario.ts";
import { createBuiltinTools } from "./tools/builtin-tools.ts";

/** What a session with these calls is told. */
async function announced(
  calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[],
  options: Partial<Parameters<typeof createScenario>[0]> = {},
) {
  const environment = createMemoryEnvironment({
    files: {
      "/project/a/AGENTS.md": "a",
      "/project/a/deep/CLAUDE.md": "deep",
      "/project/b/AGENTS.md": "b",
      "/project/b/x.ts": "",
      "/project/a/deep/y.ts": "",
    },
    shell: {
      run: async (command) => {
        if (command.includes("generate")) environment.files.put("/project/b/new.ts", new Uint8Array());
        return { exitCode: command.includes("fail") ? 1 : 0, signal: undefined, reason: "exited" };
      },
    },
  });
  const scenario = await createScenario({
    environment,
    tools: createBuiltinTools({ cwd: "/project", environment }),
    answers: [...calls.map(([tool, input]) => scriptedToolCall(tool, input)), "done"],
    ...options,
  });
  await scenario.agent.prompt("go");
  return (await scenario.agent.getContext()).messages.flatMap((message) =>
    message.role === "toolResult"
      ? [
          [...textOf(message.content).matchAll(/\[(\S+) \(\d+ bytes\) has instructions/g)].map(
            ([, name]) => name,
          ),
        ]
      : [],
  );
}

test.each([
  { command: "cd a && make", names: ["a/AGENTS.md"] },
  { command: "cd a; cd deep; make fail", names: ["a/AGENTS.md", "a/deep/CLAUDE.md"] },
  { command: "sed -i s/x/y/ a/deep/y.ts", names: ["a/AGENTS.md", "a/deep/CLAUDE.md"] },
  { command: "npm run generate", names: ["b/AGENTS.md"] },
  { command: "cat b/AGENTS.md", names: [] },
  { command: "ls /elsewhere; echo $((1))", names: [] },
])(
  "a command that works in a folder has its instructions announced: $command",
  async ({ command, names }) => {
    expect(await announced([["bash", { command }]])).toEqual([names]);
  },
);

test("the file is found as the tools find it", async () => {
  expect(
    await announced([
      ["read", { path: "@b/x.ts" }],
      ["read", { path: "b/x.ts" }],
    ]),
  ).toEqual([["b/AGENTS.md"], []]);
});

test("CX-08: nothing is announced, and nothing is in the prompt, where the project is not trusted", async () => {
  const environment = createMemoryEnvironment({
    files: { "/project/AGENTS.md": "obey me", "/me/AGENTS.md": "mine" },
  });
  const { agent, model } = await createScenario({
    ...{ environment, contextFiles: "user", userDirectory: "/me", answers: ["done"] },
  });
  await agent.prompt("go");
  const prompt = model.requests[0]?.systemPrompt ?? "";
  expect([prompt.includes("mine"), prompt.includes("obey me")]).toEqual([true, false]);
  for (const contextFiles of ["user", "above"] as const) {
    expect(await announced([["read", { path: "b/x.ts" }]], { contextFiles })).toEqual([[]]);
  }
});

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
