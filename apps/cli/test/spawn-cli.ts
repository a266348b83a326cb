import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const MAIN = join(ROOT, "apps/cli/src/main.ts");

/** The cache of the launcher: half of the time of a start from source is compiling. */
const COMPILE_CACHE = join(ROOT, "node_modules/.cache/node");

/** A home folder and a project folder of their own, deleted on disposal. */
export interface Sandbox extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  start(args: readonly string[], options?: SpawnOptions): CliProcess;
  run(args: readonly string[], options?: SpawnOptions): Promise<CliRun>;
  /** Paths of the session files of the default folder. */
  sessionFiles(): Promise<readonly string[]>;
}

interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; undefined = an empty pipe, null = the pipe stays open. */
  readonly stdin?: string | null;
  readonly cwd?: string;
  /** A shell command that runs first, in the same directory. */
  readonly before?: string;
  /** The program's file; default: its source. */
  readonly main?: string;
}

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<CliRun>;
  /** Resolves when standard error holds the text. */
  readonly seen: (text: string) => Promise<void>;
}

/** Makes a sandbox. Only PATH, HOME and what a call gives reach the environment of the program. */
export async function createSandbox(): Promise<Sandbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "coppice-cli-")));
  const home = join(root, "home");
  const project = join(root, "project");
  await Promise.all([mkdir(home), mkdir(project)]);
  const start = (args: readonly string[], options: SpawnOptions = {}) =>
    startCli({ home, project, args, options });
  return {
    home,
    project,
    start,
    run: (args, options) => start(args, options).ended,
    async sessionFiles() {
      const folder = join(home, ".coppice/sessions");
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

interface StartOptions {
  readonly home: string;
  readonly project: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

function startCli({ home, project, args, options }: StartOptions): CliProcess {
  const words = [process.execPath, "--conditions=@coppice/source", options.main ?? MAIN, ...args];
  const [program = "", ...rest] =
    options.before === undefined ? words : ["sh", "-c", `${options.before}; exec "$@"`, "sh", ...words];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? project,
    env: { PATH: process.env.PATH ?? "", HOME: home, NODE_COMPILE_CACHE: COMPILE_CACHE, ...options.env },
    stdio: "pipe",
  });
  if (options.stdin !== null) child.stdin.end(options.stdin ?? "");
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
    });
  }
  const ended = new Promise<CliRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, ...output }));
  });
  const seen = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (output.stderr.includes(text)) resolve();
      };
      child.stderr.on("data", look);
      look();
    });
  return { child, ended, seen };
}

/** The objects of a text of JSON lines. */
export function jsonLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
