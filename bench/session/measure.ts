import { copyFile, open as fileOpen, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { JsonlRepo, type Session } from "@coppice/session";
import { randomNumbers, textOf } from "./generate-session.ts";

// One measurement in a process of its own: argv = what, file, repetitions. Prints one line of JSON.

/** The part of pi's session manager that is measured. */
interface PiSession {
  buildSessionContext(): { readonly messages: readonly unknown[] };
  appendMessage(message: object): string;
}

const [what = "", path = "", times = "1"] = process.argv.slice(2);
const repo = new JsonlRepo({ directory: dirname(path), fsync: "off" });
const READ_BYTES = 1024 * 1024;
const START_MS = 1_767_225_600_000;
const small = {
  role: "user",
  content: [{ type: "text", text: "a small message" }],
  timestamp: START_MS,
} as const;
const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

async function pi(): Promise<{ open(path: string): PiSession }> {
  const module = new URL(
    "../../interchange/node_modules/@earendil-works/pi-coding-agent/dist/index.js",
    import.meta.url,
  );
  return ((await import(module.href)) as { SessionManager: { open(path: string): PiSession } })
    .SessionManager;
}

/** Times of all repetitions, the first one cold. */
async function repeated(
  task: () => Promise<unknown>,
): Promise<{ readonly ms: readonly number[]; readonly cpuMs: readonly number[] }> {
  const all: { readonly ms: number; readonly cpuMs: number }[] = [];
  for (let time = 0; time < Number(times); time++) all.push(await timed(task));
  return { ms: all.map(({ ms }) => ms), cpuMs: all.map(({ cpuMs }) => cpuMs) };
}

async function withCopy<Value>(task: (copy: string) => Promise<Value>): Promise<Value> {
  const copy = `${path}.copy.jsonl`;
  await copyFile(path, copy);
  try {
    return await task(copy);
  } finally {
    await rm(copy);
  }
}

async function open(): Promise<object> {
  const all = await repeated(async () => {
    const session = await repo.open(path, { readOnly: true });
    await session.buildContext();
    await session.close();
  });
  return { ...all, peakMb: peakMb() };
}

async function openPi(): Promise<object> {
  const manager = await pi();
  const all = await repeated(async () => manager.open(path).buildSessionContext());
  return { ...all, peakMb: peakMb() };
}

/** A task's wall-clock and processor time, in ms: on a busy machine only the second says what it costs. */
async function timed(task: () => Promise<unknown>): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}

async function appendTo(session: Session): Promise<object> {
  const count = 20_000;
  for (let index = 0; index < 2000; index++) await session.appendMessage(small);
  const rates = ({ ms, cpuMs }: { ms: number; cpuMs: number }) => ({
    aSecond: Math.round(count / (ms / 1000)),
    aCpuSecond: Math.round(count / (cpuMs / 1000)),
  });
  const queued = await timed(() =>
    Promise.all(Array.from({ length: count }, () => session.appendMessage(small))),
  );
  const awaited = await timed(async () => {
    for (let index = 0; index < count; index++) await session.appendMessage(small);
  });
  const contexts = await contextCosts(session);
  await session.close();
  return { queued: rates(queued), awaited: rates(awaited), ...contexts };
}

/**
 * The first context of a session, those after each of 500 appends to it, and those with nothing new; beside them a plain
 * copy of the list of messages, which is the most that a context after an append may add.
 */
async function contextCosts(session: Session): Promise<object> {
  const context = async () => (await session.buildContext()).messages;
  const first = await timed(context);
  const next = await timed(async () => {
    for (let index = 0; index < 500; index++) {
      await session.appendMessage(small);
      await context();
    }
  });
  const again = await timed(async () => {
    for (let index = 0; index < 500; index++) await context();
  });
  const messages = await context();
  let copied = 0;
  const copy = await timed(async () => {
    for (let index = 0; index < 500; index++) copied += messages.slice().length;
  });
  return {
    contextMessages: copied / 500,
    firstContextMs: first.ms,
    appendAndContextMs: next.ms / 500,
    contextAgainMs: again.ms / 500,
    plainCopyMs: copy.ms / 500,
  };
}

async function appendPi(): Promise<object> {
  return withCopy(async (copy) => {
    const session = (await pi()).open(copy);
    const count = 10_000;
    const start = performance.now();
    for (let index = 0; index < count; index++) session.appendMessage(small);
    return { awaited: count / ((performance.now() - start) / 1000) };
  });
}

function heldBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The least that anything which looks at every line can cost: the file is read and its lines are counted. */
async function countLines(): Promise<void> {
  const file = await fileOpen(path);
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) break;
    for (let line = buffer.indexOf(10); line !== -1; line = buffer.indexOf(10, line + 1));
    at += bytesRead;
  }
  await file.close();
}

async function index(): Promise<object> {
  const session = await repo.open(path, { readOnly: true });
  await countLines();
  const plain = await timed(countLines);
  const before = heldBytes();
  const { ms, cpuMs } = await timed(() => session.buildIndex());
  await session.getChildren(null);
  const held = heldBytes() - before;
  const indexPeakMb = peakMb();
  const searches = await search(session);
  const withSearch = heldBytes() - before;
  await session.close();
  const plainReads = { plainMs: plain.ms, plainCpuMs: plain.cpuMs };
  return { ms, cpuMs, ...plainReads, held, withSearch, peakMb: indexPeakMb, ...searches };
}

/** Words, phrases and names: those that are there are taken from places all over the file. */
async function search(session: Session): Promise<object> {
  const random = randomNumbers(99);
  const text = textOf(randomNumbers(7), 2_000_000).split(" ");
  const queries = Array.from({ length: 100 }, (_, number) => {
    const at = Math.floor(random() * (text.length - 4));
    if (number % 10 === 0) return `no_such_name_${number}`;
    return text.slice(at, at + 2 + (number % 3)).join(" ");
  });
  const first = await timed(() => take(session, "certainly nowhere in here"));
  const all: { readonly ms: number; readonly cpuMs: number }[] = [];
  for (const query of queries) all.push(await timed(() => take(session, query)));
  const sorted = (key: "ms" | "cpuMs") => all.map((each) => each[key]).sort((a, b) => a - b);
  const [ms, cpuMs] = [sorted("ms"), sorted("cpuMs")];
  return {
    first,
    p50: { ms: ms[50], cpuMs: cpuMs[50] },
    p95: { ms: ms[95], cpuMs: cpuMs[95] },
    max: { ms: ms.at(-1), cpuMs: cpuMs.at(-1) },
  };
}

async function take(session: Session, query: string): Promise<number> {
  let count = 0;
  for await (const _ of session.search(query, { limit: 50 })) count++;
  return count;
}

const measurements: Readonly<Record<string, () => Promise<object>>> = {
  open,
  "open-pi": openPi,
  append: () => withCopy(async (copy) => appendTo(await repo.open(copy))),
  "append-pi": appendPi,
  index,
};
console.log(JSON.stringify(await measurements[what]?.()));
