import { copyFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { JsonlRepo, type Session } from "@coppice/session";
import { userMessage } from "@coppice/session/testing";
import { randomNumbers, textOf } from "./generate-session.ts";

// One measurement in a process of its own: argv = what, file, repetitions. Prints one line of JSON.

/** The part of pi's session manager that is measured. */
interface PiSession {
  buildSessionContext(): { readonly messages: readonly unknown[] };
  appendMessage(message: object): string;
}

const [what = "", path = "", times = "1"] = process.argv.slice(2);
const repo = new JsonlRepo({ directory: dirname(path), fsync: "off" });
const small = userMessage("a small message");
const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

async function pi(): Promise<{ open(path: string): PiSession }> {
  const module = new URL(
    "../../interchange/node_modules/@earendil-works/pi-coding-agent/dist/index.js",
    import.meta.url,
  );
  return ((await import(module.href)) as { SessionManager: { open(path: string): PiSession } })
    .SessionManager;
}

async function repeated(task: () => Promise<unknown>): Promise<readonly number[]> {
  const all: number[] = [];
  for (let time = 0; time < Number(times); time++) {
    const start = performance.now();
    await task();
    all.push(performance.now() - start);
  }
  return all;
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
  const ms = await repeated(async () => {
    const session = await repo.open(path, { readOnly: true });
    await session.buildContext();
    await session.close();
  });
  return { ms, peakMb: peakMb() };
}

async function openPi(): Promise<object> {
  const manager = await pi();
  const ms = await repeated(async () => manager.open(path).buildSessionContext());
  return { ms, peakMb: peakMb() };
}

async function appendTo(session: Session): Promise<object> {
  const count = 20_000;
  for (let index = 0; index < 2000; index++) await session.appendMessage(small);
  let start = performance.now();
  await Promise.all(Array.from({ length: count }, () => session.appendMessage(small)));
  const queued = count / ((performance.now() - start) / 1000);
  start = performance.now();
  for (let index = 0; index < count; index++) await session.appendMessage(small);
  const awaited = count / ((performance.now() - start) / 1000);
  start = performance.now();
  for (let index = 0; index < 200; index++) {
    await session.appendMessage(small);
    await session.buildContext();
  }
  const contextMs = (performance.now() - start) / 200;
  await session.close();
  return { queued, awaited, contextMs };
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

async function index(): Promise<object> {
  const session = await repo.open(path, { readOnly: true });
  const before = heldBytes();
  const start = performance.now();
  const cpu = process.cpuUsage();
  await session.buildIndex();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  await session.getChildren(null);
  const held = heldBytes() - before;
  const searches = await search(session);
  const withSearch = heldBytes() - before;
  await session.close();
  return { ms, cpuMs: (user + system) / 1000, held, withSearch, peakMb: peakMb(), ...searches };
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
  const first = performance.now();
  await take(session, "certainly nowhere in here");
  const firstMs = performance.now() - first;
  const all: number[] = [];
  for (const query of queries) {
    const start = performance.now();
    await take(session, query);
    all.push(performance.now() - start);
  }
  all.sort((a, b) => a - b);
  return { firstSearchMs: firstMs, searchP50: all[50], searchP95: all[95], searchMax: all.at(-1) };
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
