import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedToolCall } from "@coppice/ai/testing";
import { JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { ask, openReady, quit, TIMEOUT_MS } from "./interactive-steps.ts";
import { describeServer } from "./own-server.ts";
import { createPlayground, type Playground, runCoppice } from "./spawn-coppice.ts";

const MODEL = ["--model", "wire/wire-1", "--permission-mode", "auto"];

const preload = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});

/** Logs the first frame and everything that goes to the network, in the order in which it happens. */
const NETWORK_PROBE = `
import { appendFileSync } from "node:fs";
import dns from "node:dns";
import net from "node:net";
import dgram from "node:dgram";
import { syncBuiltinESMExports } from "node:module";
const log = (what) => appendFileSync(process.env.HOME + "/network", what + "\\n");
const note = (holder, name, what) => {
  const real = holder[name];
  holder[name] = function (...given) {
    const said = what(...given);
    if (said !== undefined) log(said);
    return Reflect.apply(real, this, given);
  };
};
note(net.Socket.prototype, "connect", () => "connection");
note(dgram.Socket.prototype, "send", () => "datagram");
for (const resolver of [dns, dns.promises]) {
  for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) note(resolver, name, () => "name");
}
note(globalThis, "fetch", () => "fetch");
note(process.stdout, "write", (text) => (/─/.test(text) ? "frame" : undefined));
syncBuiltinESMExports();
`;

test("PF-03: interactive mode draws its first frame before anything goes to the network", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createPlayground();
  await using server = await createWireServer({ answers: ["Seen."] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 100_000 });
  await using terminal = await openReady({ playground, args: MODEL, env: preload(NETWORK_PROBE) });
  await ask(terminal, "hello", "Seen.");
  await quit(terminal);
  const log = (await readFile(join(playground.home, "network"), "utf8")).trim().split("\n");
  expect(log[0]).toBe("frame");
  // The probe hears what there is to hear.
  expect(log).toContain("connection");
});

/** Up to here a synchronous read or write takes less time than one key may wait, also on a slow disk. */
const MAX_DIRECT_BYTES = 256 * 1024;

/** What reads and writes no file: one system call each, however large the file is. */
const LOOKS: ReadonlySet<string> = new Set(["lstatSync", "statSync", "readdirSync", "mkdirSync"]);

/**
 * Logs at the end, for each synchronous call on files of the playground in the thread that serves keys and requests, its
 * name, the file, and the bytes that it moved.
 */
const DISK_PROBE = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";
const root = process.env.HOME.slice(0, -"home".length);
const calls = [];
const opened = new Map();
let isOver = false;
const moved = (name, result) => {
  if (name === "readSync" || name === "writeSync") return result;
  return name === "readFileSync" ? result.length : 0;
};
if (isMainThread) {
  for (const name of Object.keys(fs).filter((key) => key.endsWith("Sync"))) {
    const real = fs[name];
    fs[name] = Object.assign((...given) => {
      const result = real(...given);
      if (isOver) return result;
      const path = typeof given[0] === "number" ? opened.get(given[0]) : String(given[0]);
      if (name === "openSync") opened.set(result, path);
      if (path?.startsWith(root)) calls.push({ name, path, bytes: moved(name, result) });
      return result;
    }, real);
  }
  syncBuiltinESMExports();
  process.on("exit", () => {
    isOver = true;
    fs.writeFileSync(root + "disk.json", JSON.stringify(calls));
  });
}
`;

interface DiskCall {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

/** A session of 20 MB, which the model is not sent. */
async function layLargeSession({ home, project }: Playground): Promise<string> {
  const repo = new JsonlRepo({ directory: join(home, ".coppice/sessions") });
  const session = await repo.create({ cwd: project });
  const role = "bashExecution";
  const result = { command: "ls", exitCode: 0, timestamp: 0, cancelled: false, truncated: false };
  for (let count = 0; count < 200; count++)
    await session.appendMessage({
      ...{ role, ...result, excludeFromContext: true },
      output: `${count} ${"x".repeat(100_000)}`,
    });
  await session.close();
  return session.id;
}

test("PF-05: a named file, an output and a session of 20 MB are never read or written in one piece on the main thread", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using playground = await createPlayground();
  const { project, home } = playground;
  const sessions = join(home, ".coppice/sessions");
  const command = "yes 'a line of output' | head -c 20000000";
  const answers = [
    scriptedToolCall("bash", { command }),
    scriptedToolCall("read", { path: "large.txt" }),
    "Seen.",
  ];
  await using server = await createWireServer({ answers: [...answers, ...answers] });
  await describeServer(playground, server, { api: "anthropic-messages", contextWindow: 1_000_000 });
  await writeFile(join(project, "large.txt"), "a line of a file\n".repeat(1_200_000));
  const id = await layLargeSession(playground);
  const modes = [
    { args: ["--session", id, "-p", "@large.txt", "look"] },
    { args: ["--session", id, "--mode", "rpc"], stdin: '{"type":"prompt","message":"go on"}\n' },
  ];
  for (const { args, stdin = "" } of modes) {
    const run = await runCoppice({
      playground,
      args: [...MODEL, ...args],
      env: { ...preload(DISK_PROBE), TMPDIR: home },
      stdin,
    });
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    const calls: readonly DiskCall[] = JSON.parse(await readFile(join(home, "../disk.json"), "utf8"));
    expect(calls.filter(({ bytes }) => bytes > MAX_DIRECT_BYTES)).toEqual([]);
    const ofContent = calls.filter(({ name }) => !LOOKS.has(name));
    expect(ofContent.filter(({ path }) => !path.startsWith(sessions))).toEqual([]);
    // The probe sees the session's small pieces.
    expect(ofContent.some(({ name, bytes }) => name === "writeSync" && bytes > 0)).toBe(true);
  }
  expect(server.rejections).toEqual([]);
  expect(server.requests).toHaveLength(6);
});
