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
  let hasExited = false;
  const leader = exited.then(() => {
    hasExited = true;
  });
  await Promise.race([leader, grace]);
  clearTimeout(timer);
  // Members of the group may ignore SIGTERM.
  if (hasExited) killLeftGroup(pid);
  else signalGroup(pid, "SIGKILL");
}

/**
 * Ends what a finished command left in its process group, at once.
 *
 * As long as a group has members its number is given to no new process: a process of that number means that the group is
 * empty and the number somebody else's by now.
 */
export function killLeftGroup(pid: number): void {
  if (isGroupLeft(pid)) signalGroup(pid, "SIGKILL");
}

/** Whether a process group whose leader is gone still has a member. */
export function isGroupLeft(pid: number): boolean {
  return !exists(pid) && exists(-pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process exists as well.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
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
