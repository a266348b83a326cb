import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBuiltinTools,
  createFileTree,
  createLocalEnvironment,
  createSnapshots,
} from "@coppice/coding-agent";

/**
 * What knowing and keeping changed files adds to a call, in a clean git repository of 50,000 files: each call less the
 * median of the same work without it (the plain tool for `write` and `edit`, the bare shell for `bash`). Budget: 150 ms.
 *
 * Once with the pause that a model makes before a call (`PAUSE_MS` of streaming), once with calls back to back.
 */
const FOLDERS = 2500;
const FILES_A_FOLDER = 20;
const ROUNDS = 15;
const PAUSE_MS = 1000;
const BUDGET_MS = 150;

const root = mkdtempSync(join(tmpdir(), "coppice-rewind-bench-"));
const cwd = join(root, "project");
for (let folder = 0; folder < FOLDERS; folder++) {
  const path = join(cwd, `part-${folder % 50}`, `unit-${folder}`);
  mkdirSync(path, { recursive: true });
  for (let file = 0; file < FILES_A_FOLDER; file++) {
    writeFileSync(join(path, `file-${file}.ts`), `export const value = ${folder * FILES_A_FOLDER + file};\n`);
  }
}
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
    cwd,
    stdio: "pipe",
  });
git("init", "-q");
// In the background it would be measured as well.
git("config", "gc.auto", "0");
git("add", ".");
git("commit", "-qm", "all");

const environment = createLocalEnvironment({
  environmentVariables: { PATH: "/usr/local/bin:/usr/bin:/bin" },
});
const tree = createFileTree({ cwd, environment });
let lastId = 0;
const { recorder } = createSnapshots(
  { directory: join(root, "snapshots") },
  {
    ...{ cwd, environment, tree, now: Date.now, newId: () => `id-${++lastId}`, sessionId: () => "bench" },
    onFailure: (error) => {
      throw error;
    },
  },
);
const kept = createBuiltinTools({ cwd, environment, tree, changes: recorder });
const plain = createBuiltinTools({ cwd, environment });
const signal = new AbortController().signal;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function call(tools: typeof kept, name: string, params: object): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  const toolCallId = `call-${++lastId}`;
  return tool?.execute(toolCallId, params, signal, () => {}, { toolCallId, toolName: name, now: Date.now });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The value below which a share of them lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function timesOf(work: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await timed(() => work(round)));
  }
  return times;
}

const appended = (file: number) => `echo >> part-0/unit-0/file-${file}.ts`;
const editCounts = new Map<string, number>();
function edit(tools: typeof kept, path: string): Promise<unknown> {
  const count = editCounts.get(path) ?? 0;
  editCounts.set(path, count + 1);
  return call(tools, "edit", {
    path,
    edits: [{ oldText: `\n// ${count}\n`, newText: `\n// ${count + 1}\n` }],
  });
}
const subjects = [
  {
    what: "write",
    bare: (round: number) => call(plain, "write", { path: "part-1/unit-1/b.ts", content: `${round}` }),
    kept: (round: number) => call(kept, "write", { path: "part-1/unit-1/a.ts", content: `${round}` }),
  },
  {
    what: "edit",
    bare: () => edit(plain, "part-1/unit-1/d.ts"),
    kept: () => edit(kept, "part-1/unit-1/c.ts"),
  },
  {
    what: "bash",
    bare: () => environment.shell.run(appended(0), { cwd, signal, onOutput: () => {} }),
    kept: () => call(kept, "bash", { command: appended(1) }),
  },
  {
    what: "bash, git commit",
    bare: (round: number) =>
      environment.shell.run(`${appended(2)}; ${committed(round)}`, { cwd, signal, onOutput: () => {} }),
    kept: (round: number) => call(kept, "bash", { command: `${appended(3)}; ${committed(round)}` }),
  },
];
function committed(round: number): string {
  return `git -c user.name=b -c user.email=b@localhost commit -qam ${round}`;
}
for (const name of ["c.ts", "d.ts"]) writeFileSync(join(cwd, "part-1/unit-1", name), "// start\n// 0\n");

try {
  const find = () =>
    Promise.resolve(
      execFileSync("find", [".", "-name", ".git", "-prune", "-o", "-printf", "%p %T@ %s\n"], {
        cwd,
        stdio: ["ignore", "ignore", "inherit"],
      }),
    );
  const findTimes = await timesOf(find);
  const rssBefore = process.memoryUsage.rss();
  const first = await timed(() => call(kept, "bash", { command: "true" }));
  await recorder.settle();
  const rssAfter = process.memoryUsage.rss();
  const rows: Record<string, unknown>[] = [];
  for (const pauseMs of [PAUSE_MS, 0]) {
    for (const { what, bare, kept: work } of subjects) {
      await recorder.settle();
      const bareTimes = await timesOf(bare);
      const bareMs = quantile(bareTimes, 0.5);
      const warmed = async (round: number) => {
        // What the harness does while the model answers.
        recorder.warm();
        await sleep(pauseMs);
        return timed(() => work(round));
      };
      const added: number[] = [];
      for (let round = 0; round < ROUNDS; round++) added.push((await warmed(round)) - bareMs);
      const [medianMs, p95Ms] = [quantile(added, 0.5), quantile(added, 0.95)];
      rows.push({
        call: what,
        "pause before": `${pauseMs} ms`,
        "bare, median ms": bareMs.toFixed(1),
        "bare, p95 ms": quantile(bareTimes, 0.95).toFixed(1),
        "added, median ms": medianMs.toFixed(1),
        "added, p95 ms": p95Ms.toFixed(1),
        [`<= ${BUDGET_MS} ms`]: p95Ms <= BUDGET_MS ? "met" : "MISSED",
      });
    }
  }
  console.table(rows);
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  console.table({
    "find, all files with time and size, median": `${quantile(findTimes, 0.5).toFixed(1)} ms`,
    "the first call of a program, without any pause": `${first.toFixed(1)} ms`,
    "memory of thread, index and watches (growth of the process)": mib(rssAfter - rssBefore),
  });
} finally {
  await tree.close();
  rmSync(root, { recursive: true, force: true });
}
