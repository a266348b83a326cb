import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs every bench whose path contains one of the given words (all without words), one process each.
 *
 * With `--report`, as CI does, figures are printed and nothing fails: machines there are too busy to judge times. All of
 * them together get `REPORT_MS`; a bench that does not end in what is left of it is named.
 */
const REPORT_MS = 60_000;
const given = process.argv.slice(2);
const isReport = given.includes("--report");
const words = given.filter((word) => word !== "--report");
const files = globSync("**/*.bench.ts", { cwd: import.meta.dirname, exclude: ["node_modules/**"] })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

const start = performance.now();
for (const file of files) {
  const leftMs = REPORT_MS - (performance.now() - start);
  console.log(`\n# ${file}`);
  if (isReport && leftMs < 1000) {
    console.log("not run: no time is left for it in a report");
    continue;
  }
  const run = spawnSync(
    process.execPath,
    [
      ...["--conditions=@coppice/source", "--expose-gc", join(import.meta.dirname, file)],
      ...(isReport ? ["--report"] : []),
    ],
    { stdio: "inherit", ...(isReport ? { timeout: Math.ceil(leftMs) } : {}) },
  );
  if (run.status === 0) continue;
  if (isReport) console.log(`no figures: it ended with ${run.signal ?? run.status}`);
  else process.exitCode = 1;
}
