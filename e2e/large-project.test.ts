import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedToolCall } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { ROOT } from "./checkout-copy.ts";
import { describeServer } from "./own-server.ts";
import { builtCoppice, createPlayground, jsonLines, runCoppice } from "./spawn-coppice.ts";

const FOLDERS = 55;
const FILES_A_FOLDER = 50;

test("in a project whose files lie in a thread, the built CLI names what a command changed and ends by itself", async () => {
  for (const thread of ["tree-thread.js", "reading-thread.js"]) {
    expect(existsSync(join(ROOT, "apps/cli/dist", thread)), "Build first.").toBe(true);
  }
  await using playground = await createPlayground();
  const command =
    "mkdir -p new/deep; echo 1 > new/deep/made.txt; echo 2 >> part-3/file-4.txt; rm part-5/file-6.txt";
  await using server = await createWireServer({
    answers: [scriptedToolCall("bash", { command }), "Done."],
  });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(playground.project, `part-${folder}`);
    await mkdir(path, { recursive: true });
    const names = Array.from({ length: FILES_A_FOLDER }, (_, file) => `file-${file}.txt`);
    await Promise.all(names.map((name) => writeFile(join(path, name), name)));
  }
  const { stdout, stderr, exitCode } = await runCoppice({
    playground,
    program: builtCoppice(),
    args: ["--model", "wire/wire-1", "--mode", "json", "-p", "go"],
  });
  expect(exitCode, stderr).toBe(0);
  const [end] = jsonLines(stdout).filter(({ type }) => type === "tool_execution_end");
  expect(end).toMatchObject({
    result: {
      details: { modifiedFiles: ["new/deep/made.txt", "part-3/file-4.txt", "part-5/file-6.txt"] },
    },
  });
  const [store = ""] = await readdir(join(playground.home, ".coppice/snapshots"));
  expect(await readdir(join(playground.home, ".coppice/snapshots", store, "journals"))).toHaveLength(1);
});
