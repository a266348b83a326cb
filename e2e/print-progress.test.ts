import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeServer } from "./own-server.ts";
import { createPlayground } from "./spawn-coppice.ts";
import { LAUNCHER, openTerminal } from "./terminal.ts";

// Each case waits for the progress of a run that takes a second, on a machine that does much else.
vi.setConfig({ testTimeout: 120_000 });

/** A command that the test ends, and that says something in between. */
const COMMAND = "until [ -e go ]; do sleep 0.05; done";
const PROGRESS = /bash until \[ -e go \].* · \d+ s/;

/** `-p` in a terminal, by a shell's words around the program. */
async function openPrint(words: string) {
  const playground = await createPlayground();
  const wire = await createWireServer({
    answers: [
      { content: [scriptedToolCall("bash", { command: COMMAND })] },
      { content: [scriptedText("All is well.")] },
    ],
    contextWindow: 100_000,
  });
  await describeServer(playground, wire, { api: "openai-completions", contextWindow: 100_000 });
  const program = `${LAUNCHER} --model wire/wire-1 -p wait`;
  const terminal = openTerminal({ playground, command: "/bin/sh", args: ["-c", `${program} ${words}`] });
  onTestFinished(async () => {
    await terminal[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
    await playground[Symbol.asyncDispose]();
  });
  const file = (name: string) => join(playground.project, name);
  return { terminal, file, goOn: () => writeFile(file("go"), "") };
}

test("-p tells on a terminal what it waits for, and for how long; nothing of that is left", async () => {
  const { terminal, goOn } = await openPrint("");
  await terminal.until("progress", (screen) => PROGRESS.test(screen));
  await goOn();
  expect(await terminal.exited).toBe(0);
  expect(terminal.everything()).toMatch(/^✓ bash until \[ -e go \].* \(exit 0, .+\)\nAll is well\.$/);
});

test("-p tells it also where a program reads the answer, which holds nothing else", async () => {
  const { terminal, file, goOn } = await openPrint("> answer");
  await terminal.until("progress", (screen) => PROGRESS.test(screen));
  await goOn();
  expect(await terminal.exited).toBe(0);
  expect(terminal.everything()).toMatch(/^✓ bash until \[ -e go \].* \(exit 0, .+\)$/);
  expect(await readFile(file("answer"), "utf8")).toBe("All is well.\n");
});

test("-p tells no progress where standard error is no terminal", async () => {
  const { terminal, file, goOn } = await openPrint("2> notices & sleep 2; touch waited; wait $!");
  // The shell has waited for longer than the line would.
  await vi.waitFor(() => readFile(file("waited")), { timeout: 60_000 });
  await goOn();
  expect(await terminal.exited).toBe(0);
  expect(terminal.everything()).toBe("All is well.");
  expect(await readFile(file("notices"), "utf8")).toMatch(/^✓ bash until .+\n$/);
});
