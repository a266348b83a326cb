import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { KEYS, openTerminal } from "../../e2e/terminal.ts";
import { END } from "./stream-answer.ts";

/**
 * 200 kB of markdown that streams into a real terminal while somebody types: the processor time that the built CLI takes
 * for it, against pi for the same stream in the same terminal, and how long a key takes to the screen. Budgets: ≤ 1× of
 * pi's processor time; ≤ 16 ms from a key to its echo, for nineteen keys of twenty.
 *
 * A key's time runs from its writing into the terminal to the first output that holds it, and includes the way through
 * the pseudo-terminal and the event loop here, where the emulator reads the output, too: about 1 ms on a quiet machine.
 */
const RUNS = 3;
const KEY_EVERY_MS = 150;
/** More than a whole screen with its colours: what is listened to here is looked through at each output. */
const MAX_KEPT_CHARACTERS = 50_000;
/** A letter that the stream does not hold. */
const KEY = "ж";

const root = resolve(import.meta.dirname, "../..");
const node = join(root, "node_modules/node/bin/node");
const coppice = join(process.env.COPPICE_BENCH_DIST ?? join(root, "apps/cli/bin"), "coppice.js");
const pi = realpathSync(join(root, "interchange/node_modules/@earendil-works/pi-coding-agent"));

// A thread of its own: what sends must not hold up what listens to the terminal.
const server = new Worker(new URL("./stream-server.ts", import.meta.url));
const [port]: readonly number[] = await once(server, "message");

const folder = mkdtempSync(join(tmpdir(), "coppice-stream-"));
const playground = { home: join(folder, "home"), project: join(folder, "project") };
for (const path of [
  playground.project,
  join(playground.home, ".coppice"),
  join(playground.home, ".pi/agent"),
])
  mkdirSync(path, { recursive: true });
const models = [{ id: "wire-1", contextWindow: 500_000, maxTokens: 200_000 }];
const provider = { baseUrl: `http://127.0.0.1:${port}/v1`, api: "openai-completions", apiKey: "key", models };
for (const place of [".coppice", ".pi/agent"])
  writeFileSync(
    join(playground.home, place, "models.json"),
    JSON.stringify({ providers: { wire: provider } }),
  );

/** Processor time of a process so far, from Linux; clock ticks are 10 ms there. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

interface Measured {
  readonly cpuMs: number;
  readonly latenciesMs: readonly number[];
}

async function measure(args: readonly string[], isReady: (screen: string) => boolean): Promise<Measured> {
  await using terminal = openTerminal({
    playground,
    command: node,
    args,
    env: { COLORTERM: "truecolor", PI_OFFLINE: "1" },
  });
  await terminal.until("the editor", isReady);
  await sleep(500);
  let last = "";
  terminal.onOutput((data) => {
    last = (last + data).slice(-MAX_KEPT_CHARACTERS);
  });
  const before = cpuMs(terminal.pid);
  // What is sent while a program still starts is lost in some.
  for (let asked = 0; !last.includes("mill"); asked++) {
    if (asked > 60) throw new Error(`No stream within ${asked} s:\n${terminal.screen()}`);
    if (asked % 5 === 0) terminal.type(`${asked === 0 ? "go" : ""}${KEYS.enter}`);
    await sleep(1_000);
  }
  const latenciesMs: number[] = [];
  const isOver = () => last.includes(END);
  for (let keys = 1; !isOver(); keys++) {
    const wanted = KEY.repeat(keys);
    const start = performance.now();
    const seen = new Promise<void>((found) => {
      const stop = terminal.onOutput(() => {
        if (!last.includes(wanted) && !isOver()) return;
        stop();
        found();
      });
    });
    terminal.type(KEY);
    await seen;
    if (!isOver()) latenciesMs.push(performance.now() - start);
    await sleep(KEY_EVERY_MS);
  }
  await sleep(1_000);
  const spent = cpuMs(terminal.pid) - before;
  terminal.signal("SIGKILL");
  await terminal.exited;
  return { cpuMs: spent, latenciesMs };
}

/** Processor time of an empty Node process, the least of some runs. */
function emptyNodeCpuMs(): number {
  const print = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1_000)";
  const times = Array.from({ length: RUNS }, () =>
    Number(spawnSync(node, ["-e", print], { encoding: "utf8" }).stdout),
  );
  return Math.round(Math.min(...times));
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const subjects = {
  coppice: () => measure([coppice, "--model", "wire/wire-1"], (screen) => /[█░]/.test(screen)),
  pi: () =>
    measure([join(pi, "dist/bundle/cli.js"), "--provider", "wire", "--model", "wire-1"], (screen) =>
      screen.includes("wire-1"),
    ),
};
const runs: Record<keyof typeof subjects, Measured[]> = { coppice: [], pi: [] };
try {
  for (let run = 0; run < RUNS; run++)
    for (const name of ["coppice", "pi"] as const) runs[name].push(await subjects[name]());
} finally {
  await server.terminate();
  rmSync(folder, { recursive: true, force: true });
}
const row = (name: keyof typeof subjects) => {
  const latencies = runs[name].flatMap(({ latenciesMs }) => latenciesMs);
  return {
    cpuMs: quantile(
      runs[name].map((run) => run.cpuMs),
      0.5,
    ),
    keys: latencies.length,
    "key median ms": Number(quantile(latencies, 0.5).toFixed(1)),
    "key p95 ms": Number(quantile(latencies, 0.95).toFixed(1)),
  };
};
const [ours, theirs] = [row("coppice"), row("pi")];
console.table({ coppice: ours, pi: theirs, "node -e 0": { cpuMs: emptyNodeCpuMs() } });
console.log(`processor time: ${(ours.cpuMs / theirs.cpuMs).toFixed(2)}× of pi's`);
