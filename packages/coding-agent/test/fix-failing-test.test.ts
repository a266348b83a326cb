import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unpairedCalls } from "@coppice/agent/testing";
import { isEntry, JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { createFixingAgent, say, TASK, TEST_COMMAND } from "./fixing-agent.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const SOURCE = "export const add = (a, b) => a - b;\nexport const half = (a) => a * 2;\n";
const TEST =
  'import assert from "node:assert";\nimport { add, half } from "./numbers.js";\nassert.equal(add(1, 2), 3);\nassert.equal(half(4), 2);\nconsole.log("all right");\n';

async function createProject(): Promise<string> {
  const cwd = join(await temporaryFolder(), "project");
  await mkdir(cwd);
  await writeFile(join(cwd, "package.json"), '{"type": "module"}\n');
  await writeFile(join(cwd, "numbers.js"), SOURCE);
  await writeFile(join(cwd, "numbers.test.js"), TEST);
  return cwd;
}

/** Runs the first half until it hangs in a command, and kills it there. */
async function killedInTool(directory: string, cwd: string): Promise<string> {
  const script = fileURLToPath(new URL("./fixing-agent.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@coppice/source", script, directory, cwd], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.kill("SIGKILL");
  await once(child, "exit");
  return line.toString().trim().split("\n")[0] ?? "";
}

test("a failing test is fixed over two compactions and a kill in the middle of a tool", async () => {
  const cwd = await createProject();
  const directory = join(cwd, "..", "sessions");
  const repo = new JsonlRepo({ directory });
  const session = await repo.open(await killedInTool(directory, cwd));
  expect(await readFile(join(cwd, "numbers.js"), "utf8")).toBe(SOURCE.replace("a - b", "a + b"));
  const compactions = (await session.getEntries()).filter((entry) => isEntry(entry, "compaction"));
  expect(compactions.length).toBeGreaterThanOrEqual(2);

  const { agent, requests } = await createFixingAgent({
    ...{ cwd, session },
    steps: [
      say("bash", { command: TEST_COMMAND }),
      say("read", { path: "numbers.js" }),
      say("edit", { path: "numbers.js", edits: [{ oldText: "a * 2", newText: "a / 2" }] }),
      say("bash", { command: TEST_COMMAND }),
      "The test passes.",
    ],
  });
  await agent.prompt("Go on.");
  const results = (await session.getBranch()).flatMap((entry) =>
    isEntry(entry, "message") && entry.message.role === "toolResult" ? [entry.message] : [],
  );
  expect(results.slice(-5).map(({ toolName, isError }) => [toolName, isError])).toEqual([
    ["bash", true],
    ["bash", true],
    ["read", false],
    ["edit", false],
    ["bash", false],
  ]);
  expect(JSON.stringify(results.at(-5)?.content)).toContain("outcome of this call is unknown");
  expect(JSON.stringify(results.at(-1)?.content)).toContain("all right");
  expect(await readFile(join(cwd, "numbers.js"), "utf8")).toBe(
    "export const add = (a, b) => a + b;\nexport const half = (a) => a / 2;\n",
  );
  expect(await readFile(join(cwd, "numbers.test.js"), "utf8")).toBe(TEST);
  for (const { messages } of requests) {
    expect(unpairedCalls(messages)).toEqual([]);
    expect(JSON.stringify(messages)).toContain(TASK);
  }
  await agent.dispose();
}, 60_000);
