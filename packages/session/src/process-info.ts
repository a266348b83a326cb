import { readFileSync } from "node:fs";
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
  const bootId = procText("/proc/sys/kernel/random/boot_id");
  return bootId === undefined ? psStartTime(pid) : procStartTime(pid, bootId.trim());
}

/** Field 22 of /proc/<pid>/stat counts ticks since boot, so the boot is part of the answer (proc(5)). */
function procStartTime(pid: number, bootId: string): string | undefined {
  const stat = procText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name may hold spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const isGone = fields[0] === "Z" || fields[0] === "X";
  return isGone || fields[19] === undefined ? undefined : `${bootId}:${fields[19]}`;
}

/** What the kernel says from its memory, without a wait. */
function procText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Only where there is no `/proc`: elsewhere the module would be loaded for nothing. */
async function psStartTime(pid: number): Promise<string | undefined> {
  const { execFile } = await import("node:child_process");
  return new Promise((resolve) => {
    const args = ["-o", "lstart=", "-p", String(pid)];
    execFile("ps", args, { timeout: PS_TIMEOUT_MS }, (error, stdout) => {
      const text = stdout.trim();
      resolve(error === null && text !== "" ? text : undefined);
    });
  });
}
