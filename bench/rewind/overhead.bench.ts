import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { BUDGET_MS, callOverhead, timed } from "./call-overhead.ts";
import { makeLargeProject } from "./large-project.ts";
import { quantile } from "./quantile.ts";
import { turnOverhead } from "./turn-overhead.ts";

/**
 * What knowing and keeping changed files adds to a call in a project of 50,000 files: each call less the median of the same
 * work without it (the plain tool for `write` and `edit`, the bare shell for `bash`). Budget: 150 ms.
 *
 * Once with the pause that a model makes before a call, once with calls back to back; in a clean git repository, and in
 * the same files without one. The first call of a program that makes it without any pause waits for a look at everything:
 * it is measured here, where the modules of its threads are stripped of their types as they load, and by whole runs of the
 * built program.
 */
const root = realpathSync(mkdtempSync(join(tmpdir(), "coppice-rewind-bench-")));
const cwd = join(root, "project");
const empty = join(root, "empty");
const FIND = [".", "-name", ".git", "-prune", "-o", "-printf", "%p %T@ %s\n"];
const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

async function measure(project: string, isInGit: boolean): Promise<void> {
  const directory = join(root, `snapshots, ${project}`);
  const { rows, firstMs, grownBytes } = await callOverhead({ cwd, directory, project, isInGit });
  console.table(rows);
  console.table({
    [`${project}: the first call of a program, without any pause`]: milliseconds(firstMs),
    [`<= ${BUDGET_MS} ms`]: firstMs <= BUDGET_MS ? "met" : "MISSED",
    "memory of thread, index and watches (growth of the process)": `${(grownBytes / 2 ** 20).toFixed(1)} MiB`,
  });
  console.log("\nRuns of `-p` with one command, answered at once, less those of an empty project:");
  console.table(
    await turnOverhead({ home: join(root, `home, ${project}`), projects: { [project]: cwd, empty } }),
  );
}

try {
  mkdirSync(empty, { recursive: true });
  makeLargeProject(cwd);
  const find = async () => execFileSync("find", FIND, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const findTimes: number[] = [];
  for (let round = 0; round < 15; round++) findTimes.push(await timed(find));

  await measure("git", true);
  renameSync(join(cwd, ".git"), join(root, "git"));
  await measure("no git", false);
  console.table({
    "find, all files with time and size, median": milliseconds(quantile(findTimes, 0.5)),
    "load of the machine": loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  });
} finally {
  rmSync(root, { recursive: true, force: true });
}
