import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Modules of this package and what it takes of `@coppice/ai` (72 in 2026-11); raise it knowingly. */
const MAX_MODULES = 90;

test("agent-loop.ts can be read in a sitting: at most 150 lines", () => {
  const lines = readFileSync(`${import.meta.dirname}/agent-loop.ts`, "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeLessThanOrEqual(150);
});

test("importing the package loads a counted number of modules, ours and one small parser: no SDK, no validator, no provider", () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    console.log(JSON.stringify(loaded.filter((url) => url.startsWith("file:"))));
  `;
  const run = spawnSync(
    process.execPath,
    ["--conditions=@coppice/source", "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect(run.stderr).toBe("");
  const loaded: string[] = JSON.parse(run.stdout);
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.length).toBeLessThanOrEqual(MAX_MODULES);
  expect(
    loaded.filter((url) => !/\/packages\/(agent|ai)\/src\/|\/node_modules\/partial-json\//.test(url)),
  ).toEqual([]);
  expect(loaded.filter((url) => /\/(providers|testing)\/|\/vendors\/(?!vendors\.ts)/.test(url))).toEqual([]);
});
