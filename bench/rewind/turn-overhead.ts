import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createWireServer, scriptedToolCall } from "@coppice/ai/testing";
import { timed } from "./call-overhead.ts";
import { quantile } from "./quantile.ts";

const ROUNDS = 7;
const API = "anthropic-messages";

const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const coppice = join(root, "apps/cli/bin/coppice.js");

export interface TurnOverheadOptions {
  /** Is made; of the program. */
  readonly home: string;
  /** Projects by what they are called; the last one is what the others are compared with. */
  readonly projects: Readonly<Record<string, string>>;
}

/**
 * Whole runs of the built program, `-p` with one command, against a server that answers at once: the command comes before
 * anything is known of the project. With a session, whose file versions are kept, and without one.
 */
export async function turnOverhead({ home, projects }: TurnOverheadOptions): Promise<readonly object[]> {
  if (!existsSync(join(root, "apps/cli/dist/main.js"))) {
    return [{ project: "not measured: build first" }];
  }
  const variants = Object.entries(projects).flatMap(([project, cwd]) => [
    { project, cwd, versions: "kept", args: [], times: [] as number[] },
    { project, cwd, versions: "not kept", args: ["--no-session"], times: [] as number[] },
  ]);
  const call = scriptedToolCall("bash", { command: "echo >> made-by-the-run.txt" });
  const answers = Array.from({ length: (ROUNDS + 1) * variants.length }, () => [call, "Done."]).flat();
  await using server = await createWireServer({ answers });
  const models = [{ id: "wire-1", contextWindow: 100_000, maxTokens: 1024 }];
  const provider = { baseUrl: server.baseUrl(API), api: API, apiKey: server.apiKey, models };
  mkdirSync(join(home, ".coppice"), { recursive: true });
  writeFileSync(join(home, ".coppice/models.json"), JSON.stringify({ providers: { wire: provider } }));
  for (let round = -1; round < ROUNDS; round++) {
    for (const { cwd, args, times } of variants) {
      const tookMs = await timed(() => run({ home, cwd, args }));
      if (round >= 0) times.push(tookMs);
    }
  }
  const base = variants.at(-1)?.times ?? [];
  return variants.map(({ project, versions, times }) => ({
    project,
    "file versions": versions,
    "run, median ms": quantile(times, 0.5).toFixed(0),
    "run, p95 ms": quantile(times, 0.95).toFixed(0),
    "added, median ms": (quantile(times, 0.5) - quantile(base, 0.5)).toFixed(0),
  }));
}

async function run({
  home,
  cwd,
  args,
}: {
  readonly home: string;
  readonly cwd: string;
  readonly args: readonly string[];
}): Promise<void> {
  const child = spawn(node, [coppice, "--model", "wire/wire-1", ...args, "-p", "go"], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((done) => child.on("close", done));
  if (code !== 0 || !output.includes("Done.")) throw new Error(`The run ended with ${code}: ${output}`);
}
