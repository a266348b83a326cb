import { CodingAgentError } from "../errors.ts";

export interface FileLockOptions {
  /** How long to wait for somebody else. */
  readonly waitMs: number;
}

const RETRY_MS = 25;
/** An owner says every second that it lives; a lock this old belongs to a process that died. */
const STALE_AFTER_MS = 10_000;
const UPDATE_MS = 1000;

/**
 * Runs `work` while no other process holds `<path>.lock`. Throws `config_locked` when it stays held.
 *
 * `assertHeld` throws `config_locked` once others may have taken the lock, as when this process slept; call it before
 * writing.
 */
export async function withFileLock<Result>(
  path: string,
  { waitMs }: FileLockOptions,
  work: (assertHeld: () => void) => Promise<Result>,
): Promise<Result> {
  let isLost = false;
  const release = await takeLock(path, waitMs, () => {
    isLost = true;
  });
  try {
    return await work(() => {
      if (isLost) throw lockedError(path, undefined);
    });
  } finally {
    // A lost lock is somebody else's now.
    if (!isLost) await release().catch(() => undefined);
  }
}

async function takeLock(path: string, waitMs: number, onCompromised: () => void) {
  const { lock } = (await import("proper-lockfile")).default;
  try {
    return await lock(path, {
      // The file may not be there yet.
      realpath: false,
      stale: STALE_AFTER_MS,
      update: UPDATE_MS,
      retries: {
        retries: Math.ceil(waitMs / RETRY_MS),
        factor: 1,
        minTimeout: RETRY_MS,
        maxTimeout: RETRY_MS,
      },
      onCompromised,
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ELOCKED") throw lockedError(path, error);
    throw error;
  }
}

function lockedError(path: string, cause: unknown): CodingAgentError {
  return new CodingAgentError({
    code: "config_locked",
    message: `${path} is being changed by another process; ${path}.lock is held.`,
    cause,
    data: { path },
  });
}
