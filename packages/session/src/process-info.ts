import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";

const PS_TIMEOUT_MS = 5000;

/** What tells one run of a program from another. */
export interface ProcessInfo {
  readonly pid: number;
  readonly host: string;
  /** When a process of this machine started, as an opaque text; undefined when there is none with that pid. */
  startTimeOf(pid: number): Promise<string | undefined>;
}

/** The process that asks: `/proc` where there is one, else `ps`. */
export function nodeProcessInfo(pid: number): ProcessInfo {
  return { pid, host: hostname(), startTimeOf };
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  const bootId = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => undefined);
  return bootId === undefined ? psStartTime(pid) : procStartTime(pid, bootId.trim());
}

/** Field 22 of /proc/<pid>/stat counts ticks since boot, so the boot is part of the answer (proc(5)). */
async function procStartTime(pid: number, bootId: string): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The command name may hold spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isGone = fields[0] === "Z" || fields[0] === "X";
  return isGone || fields[19] === undefined ? undefined : `${bootId}:${fields[19]}`;
}

function psStartTime(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = ["-o", "lstart=", "-p", String(pid)];
    execFile("ps", args, { timeout: PS_TIMEOUT_MS }, (error, stdout) => {
      const text = stdout.trim();
      resolve(error === null && text !== "" ? text : undefined);
    });
  });
}
