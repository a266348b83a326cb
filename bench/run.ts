import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";

/** Runs every bench whose path contains one of the given words (all without words), one process each. */
const words = process.argv.slice(2);
const files = globSync("**/*.bench.ts", { cwd: import.meta.dirname, exclude: ["node_modules/**"] })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();

for (const file of files) {
  console.log(`\n# ${file}`);
  const run = spawnSync(
    process.execPath,
    ["--conditions=@coppice/source", "--expose-gc", join(import.meta.dirname, file)],
    {
      stdio: "inherit",
    },
  );
  if (run.status !== 0) process.exitCode = 1;
}
