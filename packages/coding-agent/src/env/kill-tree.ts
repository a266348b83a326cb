/** How long a process group may clean up after SIGTERM before SIGKILL. */
const GRACE_MS = 500;

export interface KillTreeOptions {
  /** Leader of a process group of its own (spawned detached). */
  readonly pid: number;
  /** Resolves when the leader is gone; the group is then killed at once. */
  readonly exited: Promise<unknown>;
}

/** Ends a whole process group: SIGTERM, then SIGKILL when the leader has exited or the grace time is over. */
export async function killTree({ pid, exited }: KillTreeOptions): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((done) => {
    timer = setTimeout(done, GRACE_MS);
  });
  await Promise.race([exited, grace]);
  clearTimeout(timer);
  // Members of the group may ignore SIGTERM; as long as one lives the group's id cannot be reused.
  signalGroup(pid, "SIGKILL");
}

/** False when the group has no member left. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
