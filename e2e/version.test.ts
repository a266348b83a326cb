import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NODE, ROOT } from "./checkout-copy.ts";

const BIN = join(ROOT, "apps/cli/bin/coppice.js");
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
  /** Processor time in microseconds. */
  readonly cpuUs: number;
}

function probe(args: readonly string[]): Probe {
  const { stdout, stderr } = spawnSync(NODE, ["--import", PROBE, ...args], { encoding: "utf8" });
  return { stdout, ...JSON.parse(stderr.slice(stderr.lastIndexOf('{"loaded"'))) };
}

test("--version of the built CLI loads two files, no SDK among them, and costs at most 1.5 times `node -e 0`", () => {
  expect(existsSync(join(ROOT, "apps/cli/dist/main.js")), "Build first: npx -y pnpm@12.4.2 run build").toBe(
    true,
  );
  const { version } = JSON.parse(readFileSync(join(ROOT, "apps/cli/package.json"), "utf8"));
  const { stdout, loaded } = probe([BIN, "--version"]);
  expect(stdout).toBe(`${version}\n`);
  expect(loaded.filter((url) => url.startsWith("file:"))).toEqual([
    expect.stringMatching(/\/bin\/coppice\.js$/),
    expect.stringMatching(/\/dist\/main\.js$/),
  ]);

  // Processor time, best of several in turn: other load on the machine does not count.
  let nothing = Number.POSITIVE_INFINITY;
  let asked = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    nothing = Math.min(nothing, probe(["-e", "0"]).cpuUs);
    asked = Math.min(asked, probe([BIN, "--version"]).cpuUs);
  }
  expect(asked / nothing).toBeLessThanOrEqual(1.5);
}, 60_000);
