import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args], { cwd: ROOT, encoding: "utf8" });
  return { status, text: `${stdout}${stderr}` };
}

test("the page that is shipped is the one that its sources make", { timeout: 120_000 }, () => {
  expect(run("scripts/build-export-page.ts", "--check")).toEqual({
    status: 0,
    text: "The page is up to date.\n",
  });
});

test("the page's sources are free of type errors, against the DOM and without Node", {
  timeout: 120_000,
}, () => {
  expect(run("node_modules/typescript/bin/tsc", "-p", "apps/cli/export-page", "--noEmit")).toEqual({
    status: 0,
    text: "",
  });
});
