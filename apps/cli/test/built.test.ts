import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { createSandbox } from "./spawn-cli.ts";

vi.setConfig({ testTimeout: 90_000 });

const BIN = join(import.meta.dirname, "../bin/coppice.js");
const ROUNDS = 10;

/** Tells at the end what was loaded and what it cost, on standard error. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    writeSync(2, JSON.stringify({ loaded, cpuUs: user + system }));
  });
`)}`;

interface Probe {
  readonly stdout: string;
  readonly loaded: readonly string[];
  /** Microseconds. */
  readonly cpuUs: number;
}

function probe(args: readonly string[]): Probe {
  const text = execFileSync(
    "sh",
    ["-c", 'exec "$@" 2>&1 | cat', "sh", process.execPath, "--import", PROBE, ...args],
    {
      encoding: "utf8",
    },
  );
  const at = text.lastIndexOf('{"loaded"');
  return { stdout: text.slice(0, at), ...JSON.parse(text.slice(at)) };
}

beforeAll(() => {
  const isBuilt = existsSync(join(import.meta.dirname, "../dist/main.js"));
  expect(isBuilt, "Build the program first: npx turbo run build --filter=coppice").toBe(true);
});

test("--version of the built program loads two files, and neither parser nor SDK", () => {
  const { stdout, loaded } = probe([BIN, "--version"]);
  expect(stdout).toBe(`${packageJson.version}\n`);
  expect(loaded.filter((url) => url.startsWith("file:"))).toEqual([
    expect.stringMatching(/\/bin\/coppice\.js$/),
    expect.stringMatching(/\/dist\/main\.js$/),
  ]);
});

test("--help of the built program loads no SDK, no model and no session code", () => {
  const { stdout, loaded } = probe([BIN, "--help"]);
  expect(stdout).toContain("Exit status:");
  expect(loaded.filter((url) => /sdk|openai|anthropic|compose|session|schema/.test(url))).toEqual([]);
  expect(loaded.filter((url) => url.startsWith("file:")).length).toBeLessThanOrEqual(8);
});

test("--version of the built program costs at most 1.5 times the processor time of `node -e 0`", () => {
  let nothing = Number.POSITIVE_INFINITY;
  let version = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    nothing = Math.min(nothing, probe(["-e", "0"]).cpuUs);
    version = Math.min(version, probe([BIN, "--version"]).cpuUs);
  }
  expect(version / nothing).toBeLessThanOrEqual(1.5);
});

test("the built program answers with the demo model through the real tools", async () => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(["--model", "demo", "--no-session", "-p", "find TODOs"], { main: BIN });
  expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^✓ grep /) });
});
