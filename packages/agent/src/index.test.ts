import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("importing the package loads no SDK and no validator", () => {
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
  expect(loaded.filter((url) => /\/node_modules\/(@anthropic-ai|openai|typebox)\//.test(url))).toEqual([]);
  expect(loaded.filter((url) => url.includes("/providers/"))).toEqual([]);
});
