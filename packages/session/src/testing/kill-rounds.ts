import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { JsonlRepo } from "../jsonl-repo.ts";
import { userMessage } from "./sample-messages.ts";

/** What writers were told is stored, and what is. */
export interface WritingOutcome {
  readonly acknowledged: readonly string[];
  readonly lost: readonly string[];
  /** Faults other than the unreadable line that a kill in the middle of a write may leave. */
  readonly faults: readonly string[];
  readonly entryCount: number;
  /** Entries on the branch that leads to the position. */
  readonly branchLength: number;
}

/**
 * Kills a process that appends at full speed, again and again on one session; each new one takes the lock over. After
 * how many entries is chance, within `maxEntries`; where in an entry, too.
 */
export async function killWriters(options: {
  readonly directory: string;
  readonly kills: number;
  readonly maxEntries: number;
  readonly random: () => number;
}): Promise<WritingOutcome> {
  const { directory, kills, maxEntries, random } = options;
  await begin(directory, "killed");
  const acknowledged: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const child = startWriter(directory, "killed", Number.MAX_SAFE_INTEGER);
    const closed = once(child, "close");
    const killAt = Math.floor(random() * maxEntries);
    const lines = await linesOf(child, (count) => {
      if (count > killAt) child.kill("SIGKILL");
    });
    await closed;
    acknowledged.push(...lines.filter((line) => /^[0-9a-f]{16}$/.test(line)));
  }
  return outcome(directory, "killed", acknowledged);
}

/** Processes that take turns on one session: each opens it, appends, and closes it, `rounds` times. */
export async function takeTurns(options: {
  readonly directory: string;
  readonly writers: number;
  readonly rounds: number;
}): Promise<WritingOutcome> {
  const { directory, writers, rounds } = options;
  await begin(directory, "shared");
  const children = Array.from({ length: writers }, () => startWriter(directory, "shared", rounds));
  const ids = (await Promise.all(children.map(linesOfFinished))).flat();
  return outcome(directory, "shared", ids);
}

async function begin(directory: string, id: string): Promise<void> {
  const session = await new JsonlRepo({ directory }).create({ cwd: "/w", id });
  await session.appendMessage(userMessage("start"));
  await session.close();
}

async function outcome(
  directory: string,
  id: string,
  acknowledged: readonly string[],
): Promise<WritingOutcome> {
  const session = await new JsonlRepo({ directory }).open(id, { readOnly: true });
  const parents = new Map<string, string | null>();
  const open = [...(await session.getOutline())];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    parents.set(node.entry.id, node.entry.parentId);
    open.push(...node.children);
  }
  let branchLength = 0;
  for (let at = session.getLeafId(); at !== null; at = parents.get(at) ?? null) branchLength++;
  const faults = session.diagnostics.filter(({ code }) => code !== "unreadable_line");
  await session.close();
  return {
    acknowledged,
    lost: acknowledged.filter((entryId) => !parents.has(entryId)),
    faults: faults.map(({ message }) => message),
    entryCount: parents.size,
    branchLength,
  };
}

/** A process that appends to one session as fast as it can and prints the id of each entry once it is acknowledged. */
function startWriter(directory: string, ref: string, rounds: number): ChildProcess {
  const script = fileURLToPath(new URL("./append-forever.ts", import.meta.url));
  const args = ["--conditions=@coppice/source", script, directory, ref, String(rounds)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Rejects when the process failed: a writer that could not write is no success. */
async function linesOfFinished(child: ChildProcess): Promise<readonly string[]> {
  const closed = once(child, "close");
  const lines = await linesOf(child);
  const [code] = (await closed) as unknown[];
  if (code !== 0) throw new Error(`a writer ended with ${String(code)}`);
  return lines;
}

/** Every line that a process prints until it ends. */
async function linesOf(
  child: ChildProcess,
  onLine: (count: number) => void = () => undefined,
): Promise<readonly string[]> {
  const lines: string[] = [];
  if (child.stdout === null) throw new Error("the writer has no output");
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    lines.push(line);
    onLine(lines.length);
  });
  await once(reader, "close");
  return lines;
}
