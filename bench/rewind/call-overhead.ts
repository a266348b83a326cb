import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createBuiltinTools,
  createFileTree,
  createLocalEnvironment,
  createSnapshots,
} from "@coppice/coding-agent";
import { quantile } from "./quantile.ts";

const ROUNDS = 15;
const PAUSE_MS = 1000;
export const BUDGET_MS = 150;

export interface CallOverheadOptions {
  /** The project. */
  readonly cwd: string;
  /** A store that is not there yet. */
  readonly directory: string;
  /** Of the rows. */
  readonly project: string;
  readonly isInGit: boolean;
}

export interface CallOverhead {
  readonly rows: readonly object[];
  /** Milliseconds that the first command waits in a program that has looked at nothing; it loads nothing then. */
  readonly firstMs: number;
  /** What thread, index and watches take. */
  readonly grownBytes: number;
}

/** Calls of the tools with file versions kept, each less the median of the same work without. */
export async function callOverhead(options: CallOverheadOptions): Promise<CallOverhead> {
  const { cwd, directory, project, isInGit } = options;
  const environment = createLocalEnvironment({
    environmentVariables: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  const tree = createFileTree({ cwd, environment });
  let lastId = 0;
  const { recorder } = createSnapshots(
    { directory },
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

  async function call(tools: typeof kept, name: string, params: object): Promise<unknown> {
    const tool = tools.find((one) => one.name === name);
    const toolCallId = `call-${++lastId}`;
    return tool?.execute(toolCallId, params, signal, () => {}, { toolCallId, toolName: name, now: Date.now });
  }
  const bare = (command: string) => environment.shell.run(command, { cwd, signal, onOutput: () => {} });
  const bash = (command: string) => call(kept, "bash", { command });
  const path = (name: string) => join("part-1/unit-1", name);
  for (const name of ["c.ts", "d.ts"]) writeFileSync(join(cwd, path(name)), "// start\n// 0\n");
  const editing = (tools: typeof kept, name: string) => {
    let count = 0;
    return () =>
      call(tools, "edit", {
        path: path(name),
        edits: [{ oldText: `\n// ${count}\n`, newText: `\n// ${++count}\n` }],
      });
  };
  const subjects: readonly Subject[] = [
    {
      what: "write",
      bare: (round) => call(plain, "write", { path: path("b.ts"), content: `${round}` }),
      kept: (round) => call(kept, "write", { path: path("a.ts"), content: `${round}` }),
    },
    { what: "edit", bare: editing(plain, "d.ts"), kept: editing(kept, "c.ts") },
    { what: "bash", bare: () => bare(appended(0)), kept: () => bash(appended(1)) },
    {
      what: "bash, git commit",
      bare: (round) => bare(`${appended(2)}; ${committed(round)}`),
      kept: (round) => bash(`${appended(3)}; ${committed(round)}`),
    },
  ];
  try {
    const rssBefore = process.memoryUsage.rss();
    const firstMs = await timed(() => bash("true"));
    await recorder.settle();
    const grownBytes = process.memoryUsage.rss() - rssBefore;
    const rows: object[] = [];
    for (const pauseMs of [PAUSE_MS, 0]) {
      for (const subject of subjects) {
        if (!isInGit && subject.what.includes("git")) continue;
        await recorder.settle();
        rows.push({ project, ...(await measure(subject, pauseMs, () => recorder.warm())) });
      }
    }
    return { rows, firstMs, grownBytes };
  } finally {
    await tree.close();
    await recorder.settle();
  }
}

interface Subject {
  readonly what: string;
  readonly bare: (round: number) => Promise<unknown>;
  readonly kept: (round: number) => Promise<unknown>;
}

/** `warm`: what the agent does while the model answers. */
async function measure(subject: Subject, pauseMs: number, warm: () => void): Promise<object> {
  const bareTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) bareTimes.push(await timed(() => subject.bare(round)));
  const bareMs = quantile(bareTimes, 0.5);
  const added: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    warm();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    added.push((await timed(() => subject.kept(round))) - bareMs);
  }
  const p95Ms = quantile(added, 0.95);
  return {
    call: subject.what,
    "pause before": `${pauseMs} ms`,
    "bare, median ms": bareMs.toFixed(1),
    "bare, p95 ms": quantile(bareTimes, 0.95).toFixed(1),
    "added, median ms": quantile(added, 0.5).toFixed(1),
    "added, p95 ms": p95Ms.toFixed(1),
    [`<= ${BUDGET_MS} ms`]: p95Ms <= BUDGET_MS ? "met" : "MISSED",
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const appended = (file: number) => `echo >> part-0/unit-0/file-${file}.ts`;
const committed = (round: number) => `git -c user.name=b -c user.email=b@localhost commit -qam ${round}`;
