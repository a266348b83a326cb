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
 * What keeping versions costs a call that changes files, in a repository of 50,000: the tools with and without a recorder,
 * in turn, on the same file. Budget: 150 ms a call. A command is also compared with the bare shell, since the scan for
 * changed files is part of the price.
 */
const FOLDERS = 2500;
const FILES_A_FOLDER = 20;
const ROUNDS = 11;

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
    ...{ cwd, environment, tree, now: Date.now, newId: () => `id-${++lastId}` },
    onFailure: (error) => {
      throw error;
    },
  },
);
const tools = {
  kept: createBuiltinTools({ cwd, environment, tree, changes: recorder }),
  plain: createBuiltinTools({ cwd, environment }),
};
const signal = new AbortController().signal;

async function call(kind: keyof typeof tools, name: string, params: object): Promise<void> {
  const tool = tools[kind].find((one) => one.name === name);
  const toolCallId = `call-${++lastId}`;
  await tool?.execute(toolCallId, params, signal, () => {}, { toolCallId, toolName: name, now: Date.now });
}

const target = "part-0/unit-0/file-0.ts";
const shell = () => environment.shell.run(`echo >> ${target}`, { cwd, signal, onOutput: () => {} });
const subjects: readonly (readonly [string, (round: number) => Promise<unknown>])[] = [
  ["write, kept", (round) => call("kept", "write", { path: "part-1/unit-1/a.ts", content: `${round}` })],
  ["write, plain", (round) => call("plain", "write", { path: "part-1/unit-1/b.ts", content: `${round}` })],
  ["bash, kept", () => call("kept", "bash", { command: `echo >> ${target}` })],
  ["bash, plain", () => call("plain", "bash", { command: `echo >> ${target}` })],
  ["the bare shell", shell],
];
const times = new Map(subjects.map(([name]) => [name, [] as number[]]));
try {
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, work] of subjects) {
      const start = performance.now();
      await work(round);
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
const rows = [...times].map(([name, all]) => {
  const sorted = all.toSorted((a, b) => a - b);
  return { name, minMs: sorted[0] ?? 0, medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0 };
});
const of = (name: string) => rows.find((row) => row.name === name) ?? { minMs: 0, medianMs: 0 };
const over = (name: string, base: string) => ({
  what: `${name} over ${base}`,
  "min ms": (of(name).minMs - of(base).minMs).toFixed(1),
  "median ms": (of(name).medianMs - of(base).medianMs).toFixed(1),
});
console.table(
  rows.map(({ name, minMs, medianMs }) => ({
    name,
    "min ms": minMs.toFixed(1),
    "median ms": medianMs.toFixed(1),
  })),
);
console.table([
  over("write, kept", "write, plain"),
  over("bash, kept", "bash, plain"),
  over("bash, kept", "the bare shell"),
]);
