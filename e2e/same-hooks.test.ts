import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedToolCall } from "@coppice/ai/testing";
import { RpcClient } from "coppice/rpc-client";
import { expect, test } from "vitest";
import { NODE, ROOT } from "./checkout-copy.ts";
import { isWorking, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import { createPlayground, jsonLines, runCoppice, until } from "./spawn-coppice.ts";
import { KEYS } from "./terminal.ts";

const MODEL = ["--model", "wire/wire-1", "--permission-mode", "auto"];
const STEERED = "and be brief";

/**
 * Writes a line for each hook and each moment, with what was said; pieces of a message and of an output, whose number
 * depends on the pace, are left out.
 */
const LOGGER = `
import { appendFileSync } from "node:fs";
const log = (name, said) => appendFileSync(process.env.HOME + "/hooks.jsonl", JSON.stringify({ name, said }) + "\\n");
log("evaluated");
const textOf = (content) =>
  typeof content === "string" ? content : content?.map(({ type, text, name }) => text ?? name ?? type).join("");
const said = {
  input: ({ text }) => text,
  context: ({ messages }) => messages.map(({ role, content, output }) => [role, textOf(content) ?? output]),
  tool_call: ({ call, input }) => [call.name, input],
  tool_result: ({ content, isError }) => [textOf(content), isError],
  message_start: ({ message }) => message.role,
  message_end: ({ message }) => [message.role, textOf(message.content) ?? message.output],
};
export default (api) => {
  for (const name of NAMES) api.on(name, (input) => void log(name, said[name]?.(input)));
};
`;

const NAMES = [
  ...["session_start", "session_shutdown", "input", "before_agent_start", "context"],
  ...["before_provider_request", "after_provider_response"],
  ...["tool_call", "tool_result", "agent_start", "turn_start", "message_start", "message_end"],
  ...["tool_execution_start", "tool_execution_end", "turn_end", "agent_end", "agent_settled"],
];

interface Line {
  readonly name: string;
  readonly said?: string | readonly unknown[];
}

/** A playground with the logging extension, a template and a model that runs a command, which waits for the gate. */
async function createScene() {
  const playground = await createPlayground();
  const { home, project } = playground;
  const gate = join(project, "gate");
  const call = scriptedToolCall("bash", { command: "until [ -e gate ]; do sleep 0.05; done; echo passed" });
  const server = await createWireServer({ answers: [call, "First.", "Second."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  for (const folder of ["extensions", "prompts"]) await mkdir(join(home, ".coppice", folder));
  const code = LOGGER.replace("NAMES", JSON.stringify(NAMES));
  await writeFile(join(home, ".coppice/extensions/logger.ts"), code);
  await writeFile(join(home, ".coppice/prompts/sum.md"), "Sum up $1.");
  const lines = async () =>
    jsonLines(await readFile(join(home, "hooks.jsonl"), "utf8")) as unknown as readonly Line[];
  return {
    playground,
    openGate: () => writeFile(gate, ""),
    lines,
    /** Resolves once the latest line is of this name. */
    heard: (name: string) => until(async () => (await lines()).at(-1)?.name === name || undefined, 60_000),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await playground[Symbol.asyncDispose]();
    },
  };
}

/** One prompt, which is all that can be said there. */
async function once(...flags: readonly string[]): Promise<readonly Line[]> {
  await using scene = await createScene();
  await scene.openGate();
  const run = await runCoppice({ playground: scene.playground, args: [...MODEL, ...flags, "/sum a.txt"] });
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  return scene.lines();
}

async function overRpc(): Promise<readonly Line[]> {
  await using scene = await createScene();
  const { home, project } = scene.playground;
  const heard = new Map<string, number>();
  let look = () => {};
  const client = await RpcClient.start({
    command: NODE,
    args: ["--conditions=@coppice/source", join(ROOT, "apps/cli/src/main.ts"), ...MODEL],
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    onEvent({ type }) {
      heard.set(type, (heard.get(type) ?? 0) + 1);
      look();
    },
  });
  const seen = (type: string, count = 1) =>
    new Promise<void>((resolve) => {
      look = () => {
        if ((heard.get(type) ?? 0) >= count) resolve();
      };
      look();
    });
  await client.request("prompt", { message: "/sum a.txt" });
  await seen("tool_execution_start");
  await client.request("steer", { message: STEERED });
  await scene.openGate();
  await seen("agent_settled");
  await client.request("bash", { command: "echo mine" });
  await client.request("prompt", { message: "go on" });
  await seen("agent_settled", 2);
  expect(await client.close()).toBe(0);
  return scene.lines();
}

async function interactively(): Promise<readonly Line[]> {
  await using scene = await createScene();
  await using terminal = await openReady({ playground: scene.playground, args: MODEL });
  terminal.type(`/sum a.txt${KEYS.enter}`);
  await terminal.until("the tool", (screen) => screen.includes("(running)"));
  terminal.type(`${STEERED}${KEYS.enter}`);
  await terminal.until("the queue", (screen) => screen.includes(`→ ${STEERED}`));
  await scene.openGate();
  await terminal.until("the answer", (screen) => screen.includes("First.") && !isWorking(screen));
  await scene.heard("agent_settled");
  terminal.type(`!echo mine${KEYS.enter}`);
  await terminal.until("its output", (screen) => /\nmine\n/.test(screen));
  await scene.heard("message_end");
  terminal.type(`go on${KEYS.enter}`);
  await terminal.until("the end", (screen) => screen.includes("Second.") && !isWorking(screen));
  await quit(terminal);
  return scene.lines();
}

/** What is heard where nobody can steer, run a command of their own, or go on: the first prompt and the end. */
function withoutLaterWords(lines: readonly Line[]): readonly Line[] {
  const settled = lines.findIndex(({ name }) => name === "agent_settled");
  const steered = lines.findIndex(({ name, said }) => name === "message_end" && said?.[1] === STEERED);
  return [...lines.slice(0, settled + 1), ...lines.slice(-1)].flatMap((line, at) => {
    const { name, said } = line;
    if (at === steered - 1 || at === steered || (name === "input" && said === STEERED)) return [];
    if (name !== "context" || !Array.isArray(said)) return [line];
    return [{ name, said: said.filter(([, text]) => text !== STEERED) }];
  });
}

test("CL-13, PF-03: every mode calls the same hooks with the same words, and evaluates an extension once", {
  timeout: TIMEOUT_MS,
}, async () => {
  const print = await once("-p");
  const rpc = await overRpc();
  for (const lines of [print, rpc]) expect(lines.filter(({ name }) => name === "evaluated")).toHaveLength(1);
  const heard = new Set(rpc.map(({ name }) => name));
  expect(NAMES.filter((name) => !heard.has(name))).toEqual([]);
  expect(rpc.filter(({ name }) => name === "input").map(({ said }) => said)).toEqual([
    ...["Sum up a.txt.", STEERED, "go on"],
  ]);
  expect(await once("--mode", "json")).toEqual(print);
  expect(withoutLaterWords(rpc)).toEqual(print);
  expect(await interactively()).toEqual(rpc);
});
