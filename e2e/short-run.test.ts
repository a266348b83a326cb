import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { describeServer } from "./own-server.ts";
import { builtCoppice, createPlayground, runCoppice } from "./spawn-coppice.ts";

/** Tells at the end, on standard error, which modules of Node and which files were loaded. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  const files = [];
  registerHooks({ load: (url, context, next) => (files.push(url.replace(/.*\\//, "")), next(url, context)) });
  process.on("exit", () => writeSync(2, JSON.stringify({ files, builtins: process.moduleLoadList })));
`)}`;

/** Loaded with `fetch`, which takes a third of the time of a short run. */
const FETCH = "NativeModule internal/deps/undici/undici";

test.each([
  { api: "anthropic-messages", sdk: /^sdk-/ },
  { api: "openai-completions", sdk: /^openai-(?!completions|responses|errors|sdk)/ },
])("a short run of the built CLI over $api loads no SDK, no fetch and no catalogue", async ({ api, sdk }) => {
  await using playground = await createPlayground();
  await using server = await createWireServer({ answers: ["Fine."] });
  await describeServer(playground, server, { api, contextWindow: 100_000 });
  const { stdout, stderr, exitCode } = await runCoppice({
    playground,
    program: builtCoppice("--import", PROBE),
    args: ["--model", "wire/wire-1", "-p", "say fine"],
  });
  expect({ stdout, exitCode }, stderr).toEqual({ stdout: "Fine.\n", exitCode: 0 });
  const loaded: { readonly files: readonly string[]; readonly builtins: readonly string[] } = JSON.parse(
    stderr.slice(stderr.lastIndexOf('{"files"')),
  );
  expect(loaded.builtins).not.toContain(FETCH);
  expect(loaded.files.filter((file) => sdk.test(file) || file.startsWith("models.generated"))).toEqual([]);
});
