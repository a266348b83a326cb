import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE, ROOT } from "./checkout-copy.ts";

/** An empty home folder and a project folder of their own, deleted on disposal. */
export interface Playground extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
}

export async function createPlayground(): Promise<Playground> {
  const root = await mkdtemp(join(tmpdir(), "coppice-e2e-"));
  return {
    home: join(root, "home"),
    project: join(root, "project"),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export interface CoppiceRun {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CoppiceProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<CoppiceRun>;
}

export interface CoppiceOptions {
  readonly playground: Playground;
  /** The program and its first arguments; absent = the launcher, which runs the sources. */
  readonly program?: readonly [string, ...string[]];
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; undefined = nothing, null = the pipe stays open. */
  readonly stdin?: string | null;
}

/** The built program, with arguments for Node. */
export function builtCoppice(...nodeArguments: readonly string[]): readonly [string, ...string[]] {
  const dist = join(ROOT, "apps/cli/dist/main.js");
  if (!existsSync(dist)) throw new Error("Build first: npx -y pnpm@12.4.2 run build");
  return [NODE, ...nodeArguments, join(ROOT, "apps/cli/bin/coppice.js")];
}

/** Starts the program in the project folder; only PATH, HOME and what is given reach its environment. */
export function startCoppice({ playground, program, args, env, stdin }: CoppiceOptions): CoppiceProcess {
  // The launcher replaces itself by Node, so that signals reach the agent.
  const [file, ...first] = program ?? [join(ROOT, "coppice")];
  const child = spawn(file, [...first, ...args], {
    cwd: playground.project,
    env: { PATH: process.env.PATH ?? "", HOME: playground.home, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (stdin !== null) child.stdin.end(stdin ?? "");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<CoppiceRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
  });
  return { child, ended };
}

export function runCoppice(options: CoppiceOptions): Promise<CoppiceRun> {
  return startCoppice(options).ended;
}

/** Paths of all session files below a playground's home. */
export async function sessionFiles({ home }: Playground): Promise<readonly string[]> {
  const names = await readdir(join(home, ".coppice/sessions"), { recursive: true }).catch(() => []);
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(home, ".coppice/sessions", name))
    .sort();
}

/** The parsed lines of a JSONL text; a line that is not JSON fails the test that asks. */
export function jsonLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Resolves once `check` gives a value; looks again at every change of the event loop's short timer, up to a bound. */
export async function until<T>(check: () => Promise<T | undefined>, boundMs = 20_000): Promise<T> {
  const end = performance.now() + boundMs;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`Not seen within ${boundMs} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
