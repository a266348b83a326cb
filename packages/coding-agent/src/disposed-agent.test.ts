import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { scriptedModel, scriptedStream, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { JsonlRepo } from "@coppice/session";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCodingAgent } from "./create-coding-agent.ts";
import { createLocalEnvironment } from "./env/local-environment.ts";

// A whole run with real commands, on a machine that does much else.
vi.setConfig({ testTimeout: 60_000 });

/** What keeps a process alive and may be ours: timers, threads, watchers of files, commands and their pipes. */
const OURS = /^(Timeout|Worker|MessagePort|FSEventWrap|StatWatcher|ProcessWrap|PipeWrap|TCP)/;

const held = () => process.getActiveResourcesInfo().filter((name) => OURS.test(name));

/** What is held beyond what was held before, which is the test runner's and may end meanwhile. */
function heldBeyond(before: readonly string[]): readonly string[] {
  const left = [...before];
  return held().filter((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** Threads and pipes end a few rounds of the event loop later; waiting without a timer leaves the count alone. */
async function heldAtRest(before: readonly string[]): Promise<readonly string[]> {
  const endMs = performance.now() + 20_000;
  while (heldBeyond(before).length > 0 && performance.now() < endMs) await nextRound();
  return heldBeyond(before);
}

test("PF-07: an agent that ran tools and was disposed of holds no timer, thread, watcher or command", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "coppice-disposed-")));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const cwd = join(root, "project");
  await mkdir(cwd);
  await writeFile(join(cwd, "a.txt"), "one\n");
  const before = held();

  const repo = new JsonlRepo({ directory: join(root, "sessions") });
  const agent = await createCodingAgent({
    cwd,
    model: scriptedModel(),
    streamFunction: scriptedStream([
      {
        content: [
          scriptedToolCall("bash", {
            command: "echo begins; until [ -e go ]; do sleep 0.05; done; echo two > b.txt",
          }),
        ],
      },
      { content: [scriptedToolCall("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] })] },
      { content: [scriptedText("done")] },
    ]),
    environment: createLocalEnvironment({
      environmentVariables: { PATH: "/usr/bin:/bin", HOME: root },
    }),
    session: await repo.create({ cwd }),
    repo,
    snapshots: { directory: join(root, "snapshots") },
  });
  const inTheRun = new Set<string>();
  agent.subscribe(async (event) => {
    if (event.type !== "tool_execution_update") return;
    for (const name of heldBeyond(before)) inTheRun.add(name);
    await writeFile(join(cwd, "go"), "");
  });
  await agent.prompt("go");
  await agent.dispose();

  // The command itself is seen, so that nothing seen later says something.
  expect([...inTheRun]).toContain("ProcessWrap");
  expect(await heldAtRest(before)).toEqual([]);
});
