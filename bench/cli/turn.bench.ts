import { spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generateSession } from "../session/generate-session.ts";
import { startTurnServer } from "./turn-server.ts";

/**
 * Wall time and peak memory of whole runs of the built CLI against pi for the same prompts and server, in turn. Budgets,
 * as ratios to pi: one turn ≤ 0.5 wall, ≤ 0.7 memory; 30 tool turns ≤ 0.7 wall; a session of 213 MB resumed and answered
 * ≤ 0.1 wall, ≤ 0.25 memory.
 */
const RUNS = Number(process.env.COPPICE_BENCH_RUNS ?? 5);
const SESSION_ENTRIES = 100_000;
const SESSION_TEXT_CHARS = 1_740;

const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const coppice = join(process.env.COPPICE_BENCH_DIST ?? join(root, "apps/cli/bin"), "coppice.js");
const pi = realpathSync(
  join(root, "interchange/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
);

/** Makes a Node process tell its peak memory (kB) at its end, in a file. */
const PROBE = `data:text/javascript,${encodeURIComponent(
  'import { writeFileSync } from "node:fs"; const file = process.env.PEAK_FILE; process.on("exit", () => { try { writeFileSync(file, String(process.resourceUsage().maxRSS)); } catch {} });',
)}`;

using server = await startTurnServer();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "coppice-turn-")));
const home = join(folder, "home");
const project = join(folder, "project");
const peakFile = join(folder, "peak");
for (const path of [join(home, ".coppice"), join(home, ".pi/agent"), project])
  mkdirSync(path, { recursive: true });
writeFileSync(join(project, "a.txt"), "one\ntwo\nthree\n");
const model = { id: "m", contextWindow: 2_000_000, maxTokens: 8_000 };
const provider = { baseUrl: server.baseUrl, api: "openai-completions", apiKey: "test-key", models: [model] };
for (const place of [".coppice", ".pi/agent"]) {
  writeFileSync(join(home, place, "models.json"), JSON.stringify({ providers: { p: provider } }));
}

interface Measured {
  readonly wallMs: number;
  readonly peakMb: number;
}

async function run(program: string, args: readonly string[]): Promise<Measured> {
  const start = performance.now();
  const child = spawn(node, ["--import", PROBE, program, ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, PEAK_FILE: peakFile, PI_OFFLINE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  const wallMs = performance.now() - start;
  if (code !== 0 || !output.includes("Done.")) throw new Error(`${program} ended with ${code}: ${output}`);
  return { wallMs, peakMb: Number(readFileSync(peakFile, "utf8")) / 1024 };
}

async function compare(name: string, args: (of: "coppice" | "pi") => readonly string[]): Promise<void> {
  const of = { coppice: [] as Measured[], pi: [] as Measured[] };
  for (let round = -1; round < RUNS; round++) {
    for (const who of ["coppice", "pi"] as const) {
      const measured = await run(who === "coppice" ? coppice : pi, args(who));
      if (round >= 0) of[who].push(measured);
    }
  }
  const least = (all: readonly Measured[], field: keyof Measured) =>
    Math.min(...all.map((one) => one[field]));
  const row = (field: keyof Measured, unit: string) => {
    const [own, other] = [least(of.coppice, field), least(of.pi, field)];
    return {
      name,
      of: `${field} (${unit})`,
      coppice: own.toFixed(0),
      pi: other.toFixed(0),
      ratio: (own / other).toFixed(2),
    };
  };
  rows.push(row("wallMs", "least"), row("peakMb", "least"));
}

/** What a Node process costs that does nothing: the floor under all rows. */
async function measureEmptyNode(): Promise<void> {
  const program = join(folder, "empty.mjs");
  writeFileSync(program, 'console.log("Done.");');
  const all: Measured[] = [];
  for (let round = 0; round < RUNS; round++) all.push(await run(program, []));
  const wallMs = Math.min(...all.map((one) => one.wallMs));
  const peakMb = Math.min(...all.map((one) => one.peakMb));
  rows.push({ name: "empty Node program", of: `wallMs ${wallMs.toFixed(0)}, peakMb ${peakMb.toFixed(0)}` });
}

const rows: object[] = [];
const base = (who: "coppice" | "pi") =>
  who === "coppice" ? ["--model", "p/m"] : ["--provider", "p", "--model", "m"];

try {
  await measureEmptyNode();
  await compare("one turn", (who) => [...base(who), "-p", "say done"]);
  await compare("30 tool turns", (who) => [...base(who), "-p", "read many times"]);
  const made = join(folder, "made.jsonl");
  await generateSession({
    path: made,
    entries: SESSION_ENTRIES,
    textChars: SESSION_TEXT_CHARS,
    cwd: project,
  });
  const sessions = { coppice: join(folder, "own.jsonl"), pi: join(folder, "pi.jsonl") };
  for (const path of Object.values(sessions)) copyFileSync(made, path);
  await compare(`resume ${(statSync(made).size / 1e6).toFixed(0)} MB`, (who) => [
    ...base(who),
    ...["--session", sessions[who], "-p", "say done"],
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.table(rows);
console.log(
  `load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`,
);

/** Of what is published, maps aside: they are for debugging, and counted apart. */
function sizeMb(directory: string, isCounted: (name: string) => boolean): number {
  const names = readdirSync(directory, { recursive: true }) as string[];
  const bytes = names
    .filter(isCounted)
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  return bytes / 1e6;
}

const modules = join(root, "apps/cli/node_modules");
const dependencies = ["@vscode/ripgrep", "@silvia-odwyer/photon-node", "jiti"];
const sizes = {
  "dist (code)": sizeMb(join(root, "apps/cli/dist"), (name) => !name.endsWith(".map")),
  "dist (maps)": sizeMb(join(root, "apps/cli/dist"), (name) => name.endsWith(".map")),
  ...Object.fromEntries(
    dependencies.map((name) => [name, sizeMb(realpathSync(join(modules, name)), () => true)]),
  ),
};
console.table(sizes);
