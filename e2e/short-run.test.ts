import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createWireServer } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import { NODE, ROOT } from "./checkout-copy.ts";
import { describeServer } from "./own-server.ts";
import { createPlayground } from "./spawn-coppice.ts";

const DIST = join(ROOT, "apps/cli/dist");

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
  expect(existsSync(join(DIST, "main.js")), "Build first: npx -y pnpm@12.4.2 run build").toBe(true);
  await using playground = await createPlayground();
  await using server = await createWireServer({ answers: ["Fine."] });
  await describeServer(playground, server, { api, contextWindow: 100_000 });
  const bin = join(ROOT, "apps/cli/bin/coppice.js");
  const child = spawn(NODE, ["--import", PROBE, bin, "--model", "wire/wire-1", "-p", "say fine"], {
    cwd: playground.project,
    env: { PATH: process.env.PATH ?? "", HOME: playground.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  expect({ stdout, exitCode }, stderr).toEqual({ stdout: "Fine.\n", exitCode: 0 });
  const loaded: { readonly files: readonly string[]; readonly builtins: readonly string[] } = JSON.parse(
    stderr.slice(stderr.lastIndexOf('{"files"')),
  );
  expect(loaded.builtins).not.toContain(FETCH);
  expect(loaded.files.filter((file) => sdk.test(file) || file.startsWith("models.generated"))).toEqual([]);
});
