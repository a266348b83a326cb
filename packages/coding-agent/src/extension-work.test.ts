import type { AnyAgentTool } from "@coppice/agent";
import { textOf } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";
import type { Extension, ExtensionApi } from "./extension.ts";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario } from "./testing/scenario.ts";

async function handleOf(options: Partial<Parameters<typeof createScenario>[0]>): Promise<ExtensionApi> {
  let handle: ExtensionApi | undefined;
  const keeps: Extension = {
    name: "keeps",
    setup(api) {
      handle = api;
    },
  };
  await createScenario({ answers: [], extensions: [keeps], ...options });
  if (handle === undefined) throw new Error("It was not set up.");
  return handle;
}

test("CX-18: commands of an extension run as those of the tools do: whole characters, the signal, the whole tree", async () => {
  const cwd = await temporaryFolder();
  const environment = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  const { shell } = (await handleOf({ cwd, environment })).environment;
  const chunks: string[] = [];
  const onOutput = (chunk: Uint8Array) =>
    void chunks.push(new TextDecoder("utf-8", { fatal: true }).decode(chunk));
  const never = new AbortController().signal;
  const words = await shell.run("printf 'é%.0s' $(seq 50000); echo wrong >&2; exit 3", {
    cwd,
    signal: never,
    onOutput,
  });
  expect([words, chunks.join("").length]).toEqual([
    { exitCode: 3, signal: undefined, reason: "exited" },
    50_000 + "wrong\n".length,
  ]);
  const killed = await shell.run("kill -9 $$", { cwd, signal: never, onOutput });
  expect(killed).toMatchObject({ signal: "SIGKILL" });
  const abort = new AbortController();
  const running = shell.run("echo started; sleep 600 & sleep 600", {
    ...{ cwd, signal: abort.signal },
    onOutput: () => abort.abort(),
  });
  expect(await running).toMatchObject({ reason: "aborted" });
});

test("an extension works where the agent works, not on the machine that it runs on", async () => {
  const environment = createMemoryEnvironment({ files: { "/project/a.txt": "in memory" } });
  const { files } = (await handleOf({ environment })).environment;
  expect(new TextDecoder().decode(await files.readFile("/project/a.txt"))).toBe("in memory");
});

test("B236: a reload while a tool runs is refused, and the tool's result is stored", async () => {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const slow: AnyAgentTool = {
    name: "slow",
    description: "Waits.",
    parameters: Type.Object({}),
    async execute() {
      started.resolve();
      await finish.promise;
      return { content: [{ type: "text", text: "worked" }] };
    },
  };
  const owns: Extension = { name: "owns", setup: (api) => void api.registerTool(slow) };
  const scenario = await createScenario({
    answers: [scriptedToolCall("slow", {}), "done"],
    extensions: [owns],
  });
  const prompted = scenario.agent.prompt("go");
  await started.promise;
  await expect(scenario.agent.reloadExtensions([])).rejects.toMatchObject({ code: "agent_busy" });
  finish.resolve();
  await prompted;
  const result = (await scenario.agent.getContext()).messages.find(({ role }) => role === "toolResult");
  expect(result?.role === "toolResult" && textOf(result.content)).toBe("worked");
  await scenario.agent.reloadExtensions([]);
  expect(scenario.agent.tools.all).toEqual([]);
});
