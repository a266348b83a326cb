import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KEYS, openTerminal } from "../../e2e/terminal.ts";
import { printRatios, type Timing } from "../paired-runs.ts";

/**
 * Time from the start of the built CLI to its editor on the screen of a real terminal, against pi and an empty Node
 * process in the same terminal. Budget: 150 ms over `node -e 0`. All take the same way, so that the terminal's cost
 * cancels out. Pi's first paint is the first screen that shows its model, as it shows that below its editor.
 */
const RUNS = Number(process.env.COPPICE_BENCH_RUNS ?? 15);
const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const coppice = join(process.env.COPPICE_BENCH_DIST ?? join(root, "apps/cli/bin"), "coppice.js");
const pi = realpathSync(
  join(root, "interchange/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
);

const folder = mkdtempSync(join(tmpdir(), "coppice-first-paint-"));
const playground = { home: join(folder, "home"), project: join(folder, "project") };
for (const path of Object.values(playground)) mkdirSync(path);

// A server that is never asked: pi wants a model before it paints.
mkdirSync(join(playground.home, ".pi/agent"), { recursive: true });
const models = [{ id: "wire-1", contextWindow: 100_000, maxTokens: 1_000 }];
const provider = { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: "key", models };
writeFileSync(
  join(playground.home, ".pi/agent/models.json"),
  JSON.stringify({ providers: { wire: provider } }),
);

/** The editor's frame. */
const EDITOR = "──────────";

async function firstPaintMs(): Promise<number> {
  const start = performance.now();
  await using terminal = openTerminal({ playground, command: node, args: [coppice, "--model", "demo"] });
  await terminal.until("the editor", (screen) => screen.includes(EDITOR));
  const elapsedMs = performance.now() - start;
  // A normal end writes the compile cache that the next start reads.
  await terminal.until("the end of the start", (screen) => screen.includes("/help"));
  terminal.type(KEYS.ctrlD);
  await terminal.exited;
  return elapsedMs;
}

async function piFirstPaintMs(): Promise<number> {
  const start = performance.now();
  const args = [pi, "--provider", "wire", "--model", "wire-1"];
  await using terminal = openTerminal({ playground, command: node, args, env: { PI_OFFLINE: "1" } });
  await terminal.until("pi's editor", (screen) => screen.includes("wire-1"));
  const elapsedMs = performance.now() - start;
  terminal.type(KEYS.ctrlD);
  await terminal.exited;
  return elapsedMs;
}

async function emptyNodeMs(): Promise<number> {
  const start = performance.now();
  await using terminal = openTerminal({ playground, command: node, args: ["-e", "0"] });
  await terminal.exited;
  return performance.now() - start;
}

function timing(name: string, times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  return { name, minMs: sorted[0] ?? 0, medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0 };
}

const paints: number[] = [];
const piPaints: number[] = [];
const empties: number[] = [];
try {
  for (let run = -1; run < RUNS; run++) {
    const [paint, piPaint, empty] = [await firstPaintMs(), await piFirstPaintMs(), await emptyNodeMs()];
    if (run < 0) continue;
    paints.push(paint);
    piPaints.push(piPaint);
    empties.push(empty);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const [paint, empty] = [timing("first paint (built)", paints), timing("node -e 0", empties)];
printRatios([paint, timing("first paint of pi", piPaints), empty]);
console.log(
  `over node -e 0: ${(paint.minMs - empty.minMs).toFixed(0)} ms min, ${(paint.medianMs - empty.medianMs).toFixed(0)} ms median`,
);
