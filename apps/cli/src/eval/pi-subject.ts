import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, sep } from "node:path";
import { text } from "node:stream/consumers";
import { CliError } from "../cli-error.ts";
import {
  EVAL_API,
  EVAL_OUTPUT_TOKENS,
  EVAL_WINDOW_TOKENS,
  type Subject,
  type SubjectKind,
} from "./subject.ts";

const TURN_LIMIT_MS = 120_000;
/** The one that the table in the docs was made with. */
const PI_PACKAGE = "@earendil-works/pi-coding-agent@1.6.0";

/**
 * pi, one process a turn (`pi -p --continue`), with a home of its own and its default settings.
 *
 * `command` is how it is started: a name on `PATH`, or a path and its arguments.
 */
export function piSubject(options: {
  readonly command: readonly [string, ...string[]];
  /** Of the child; everything else is left out. */
  readonly path: string;
}): SubjectKind {
  return {
    name: "pi",
    check: () => requireProgram(options),
    async start({ server, project, scratch, signal }): Promise<Subject> {
      const home = join(scratch, "pi");
      await mkdir(home, { recursive: true });
      await writeFile(
        join(home, "models.json"),
        JSON.stringify(modelsFile(server.baseUrl(EVAL_API), server.apiKey)),
      );
      const env = { PATH: options.path, HOME: home, PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1" };
      let isFirst = true;
      return {
        async say({ prompt }) {
          const flags = ["--model", "eval/eval-1", ...(isFirst ? [] : ["--continue"]), "-p", prompt];
          isFirst = false;
          await runToEnd([...options.command, ...flags], { cwd: project, env, signal });
        },
        compactions: () => countCompactions(join(home, "sessions")),
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

/** Every path of the command must be there, and its first name on `PATH`. Throws `no_program`. */
async function requireProgram(options: Parameters<typeof piSubject>[0]): Promise<void> {
  const [name, ...files] = options.command;
  const folders = options.path.split(delimiter).filter((folder) => folder !== "");
  const places = name.includes(sep) ? [name] : folders.map((folder) => join(folder, name));
  const programs = await Promise.all(places.map((place) => isThere(place, constants.X_OK)));
  const scripts = await Promise.all(files.map((file) => isThere(file, constants.R_OK)));
  const missing = programs.includes(true) ? files[scripts.indexOf(false)] : name;
  if (missing === undefined) return;
  throw new CliError("no_program", `pi cannot be evaluated: there is no program "${missing}"`, {
    advice: `Install it with \`npm install -g ${PI_PACKAGE}\`, or name its file: \`coppice eval coppice pi=<file>\`.`,
  });
}

async function isThere(file: string, mode: number): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}

function modelsFile(baseUrl: string, apiKey: string): object {
  const model = { id: "eval-1", contextWindow: EVAL_WINDOW_TOKENS, maxTokens: EVAL_OUTPUT_TOKENS };
  return { providers: { eval: { baseUrl, apiKey, api: EVAL_API, models: [model] } } };
}

async function runToEnd(
  [file = "", ...args]: readonly string[],
  {
    cwd,
    env,
    signal,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const child = spawn(file, args, {
    ...{ cwd, env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TURN_LIMIT_MS,
  });
  // Not the signal of `spawn`, which rejects at once: while the child ends it still writes into the folder.
  const end = () => child.kill();
  signal?.addEventListener("abort", end);
  const [stderr, [code, stop]] = await Promise.all([text(child.stderr), once(child, "exit")]).finally(() =>
    signal?.removeEventListener("abort", end),
  );
  if (code !== 0) throw new Error(`${file} ended with ${stop ?? code}: ${stderr.trim().slice(-500)}`);
}

async function countCompactions(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return texts
    .join("\n")
    .split("\n")
    .filter((line) => line.startsWith('{"type":"compaction"')).length;
}
