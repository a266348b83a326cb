import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message } from "@coppice/ai";
import { scriptedToolCall } from "@coppice/ai/testing";
import { onTestFinished } from "vitest";
import { createLocalConfigFiles } from "../../src/config/local-config-files.ts";
import { createMcpExtension, type McpExtensionOptions } from "../../src/mcp/mcp-extension.ts";
import type { McpServerConfig } from "../../src/mcp/server-config.ts";
import { sleep as systemSleep } from "../../src/sleep.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "../../src/testing/scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The user's environment, as far as a server could ask for it. */
const VARIABLES: Readonly<Record<string, string | undefined>> = {
  ...{ PATH: "/usr/bin:/bin", HOME: "/home/somebody", SECRET_TOKEN: "s3cret", ANTHROPIC_API_KEY: "key" },
};

/** A server of the tests as a process; `$FOLDER/log` is what it notes. */
export function sampleProcess(mode = "plain"): McpServerConfig {
  const script = fileURLToPath(new URL("./stdio-server.ts", import.meta.url));
  return { command: process.execPath, args: [script, mode, "$FOLDER/log"] };
}

export interface McpScenario extends Scenario {
  readonly folder: string;
  /** Calls a tool through a prompt and gives its result as the model saw it. */
  call(
    tool: string,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<Extract<Message, { role: "toolResult" }>>;
}

export interface McpScenarioOptions extends Partial<ScenarioOptions> {
  readonly servers: Readonly<Record<string, unknown>>;
  readonly mcp?: Partial<McpExtensionOptions>;
}

/** An agent in a real folder with these servers; it is disposed with the test. Servers of before are not waited for. */
export async function createMcpScenario(options: McpScenarioOptions): Promise<McpScenario> {
  const { servers, mcp, ...others } = options;
  const folder = await temporaryFolder();
  const path = join(folder, "mcp.json");
  await writeFile(path, JSON.stringify({ mcpServers: servers }));
  const extension = createMcpExtension({
    ...{
      files: createLocalConfigFiles(),
      configPaths: [path],
      variable: (name) => (name === "FOLDER" ? folder : VARIABLES[name]),
    },
    ...mcp,
  });
  const scenario = await createScenario({
    ...{ cwd: folder, answers: [], sleep: systemSleep },
    extensions: [extension],
    ...others,
  });
  onTestFinished(() => scenario.agent.dispose());
  let calls = 0;
  return {
    ...scenario,
    folder,
    call: async (tool, input = {}) => {
      scenario.model.push(scriptedToolCall(tool, input, `call-${++calls}`), "done");
      await scenario.agent.prompt(`use ${tool}`);
      const { messages } = await scenario.agent.getContext();
      const result = messages.findLast((message) => message.role === "toolResult");
      if (result?.role !== "toolResult") throw new Error("There is no result.");
      return result;
    },
  };
}

/** What a file says; "" while there is none. */
export async function textOfFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

/** Waits for a condition; rejects after a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error("It did not come true.");
    await new Promise((done) => setTimeout(done, 20));
  }
}
