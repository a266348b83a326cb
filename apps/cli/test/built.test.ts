import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { createSandbox } from "./spawn-cli.ts";

vi.setConfig({ testTimeout: 90_000 });

const BIN = join(import.meta.dirname, "../bin/coppice.js");

/** Tells at the end what was loaded, on standard error. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on("exit", () => {
    writeSync(2, JSON.stringify({ loaded }));
  });
`)}`;

interface Probe {
  readonly stdout: string;
  readonly loaded: readonly string[];
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

test("PF-03: --help of the built program loads no SDK, no model and no session code", () => {
  const { stdout, loaded } = probe([BIN, "--help"]);
  expect(stdout).toContain("Exit status:");
  expect(loaded.filter((url) => /sdk|openai|anthropic|compose|session|schema/.test(url))).toEqual([]);
  expect(loaded.filter((url) => url.startsWith("file:")).length).toBeLessThanOrEqual(9);
});

test("the first frame of interactive mode waits for the terminal library only: 350 KB, no agent, no markdown", () => {
  const dist = join(import.meta.dirname, "../dist");
  const start = readdirSync(dist).filter((name) => /^interactive-.*\.js$/.test(name));
  const needed = new Set(start);
  for (const name of needed) {
    const code = readFileSync(join(dist, name), "utf8");
    for (const [, file = ""] of code.matchAll(/^(?:import|export)[^"']*["']\.\/([^"']+)["']/gm))
      needed.add(file);
  }
  const read = (suffix: string) =>
    [...needed].map((name) => readFileSync(join(dist, `${name}${suffix}`), "utf8"));
  const sources = read(".map").flatMap((map): readonly string[] => JSON.parse(map).sources);
  expect(start).toHaveLength(1);
  expect(sources.filter((path) => /pi-tui\/dist\/tui\.js$/.test(path))).toHaveLength(1);
  expect(
    sources.filter((path) =>
      /\/marked\/|markdown|packages\/(?:agent|session|compaction|coding-agent)\//.test(path),
    ),
  ).toEqual([]);
  expect(read("").join("").length).toBeLessThan(350_000);
});

test("the built program answers with the demo model through the real tools", async () => {
  await using sandbox = await createSandbox();
  const run = await sandbox.run(["--model", "demo", "--no-session", "-p", "find TODOs"], { main: BIN });
  expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^✓ grep /) });
});

test("programs import a client with types of its own, which needs none of the packages", async () => {
  const dist = join(import.meta.dirname, "../dist");
  for (const name of ["rpc-client.js", "rpc-client.d.ts"]) {
    const imports = [...readFileSync(join(dist, name), "utf8").matchAll(/\bfrom ["']([^"']+)["']/g)];
    expect(imports.filter(([, source]) => !source?.startsWith("node:"))).toEqual([]);
  }
  const { RpcClient }: typeof import("../src/modes/rpc/client.ts") = await import(
    join(dist, "rpc-client.js")
  );
  await using sandbox = await createSandbox();
  const client = await RpcClient.start({
    ...{ command: process.execPath, args: [BIN, "--model", "demo"], cwd: sandbox.project },
    env: { PATH: process.env.PATH, HOME: sandbox.home },
  });
  expect(await client.request("get_state")).toMatchObject({ model: "coppice/demo" });
  expect(await client.close()).toBe(0);
});

test("programs import the benchmark with types of its own, and live a session through with an agent of theirs", {
  timeout: 300_000,
}, async () => {
  const dist = join(import.meta.dirname, "../dist");
  const types = readFileSync(join(dist, "eval.d.ts"), "utf8");
  const imports = [...types.matchAll(/\bfrom ["']([^"']+)["']/g)].map(([, source]) => source);
  expect(imports.filter((source) => source?.startsWith("node:") !== true)).toEqual([]);
  const { createPlan, reportOf, runEval }: typeof import("../src/eval/index.ts") = await import(
    join(dist, "eval.js")
  );
  const said: string[] = [];
  const forgetful = {
    name: "forgetful",
    start: async () => ({
      say: async ({ prompt }: { readonly prompt: string }) => void said.push(prompt),
      compactions: async () => 1,
      [Symbol.asyncDispose]: async () => {},
    }),
  };
  const outcomes = await runEval({ kinds: [forgetful], sessions: 1, compactions: 1, seed: 7 });
  const turns = createPlan(7).turns.map(({ prompt }) => prompt);
  expect(said).toEqual(expect.arrayContaining([...turns]));
  expect(reportOf(outcomes)).toMatch(/\| forgetful \| values +\| +\d+ \| +0 \|/);
});
