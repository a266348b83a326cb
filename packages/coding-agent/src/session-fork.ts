import type { Session, SessionRepo } from "@coppice/session";
import { chosenPosition } from "./chosen-position.ts";
import { CodingAgentError } from "./errors.ts";
import type { PendingWrites } from "./pending-writes.ts";

export interface SessionForkOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  /** Where the agent works, which need not be where the session began: that directory may be gone. */
  readonly cwd: string;
  /** Where the session came from; absent = it cannot be forked. */
  readonly repo: Pick<SessionRepo, "fork"> | undefined;
}

export interface ForkChoices {
  /** Default: the position. A user message: up to its parent. */
  readonly entryId?: string | null;
  /** Absolute; where the fork works. Default: where the agent does. */
  readonly cwd?: string;
}

export interface ForkResult {
  /** Open, and the caller's to close; the agent stays on its own session. */
  readonly session: Session;
  /** Text of the chosen user message, for editing. */
  readonly editorText: string | undefined;
}

/** Copies a branch into a session of its own. */
export class SessionFork {
  readonly #options: SessionForkOptions;

  constructor(options: SessionForkOptions) {
    this.#options = options;
  }

  /** Throws `fork_unavailable`, `unknown_entry`, `write_failed`. */
  async fork({ entryId, cwd = this.#options.cwd }: ForkChoices): Promise<ForkResult> {
    const { session, writes, repo } = this.#options;
    if (repo === undefined) {
      throw new CodingAgentError({
        code: "fork_unavailable",
        message: "The session cannot be forked: the agent does not know where it is kept.",
      });
    }
    await writes.flushOrThrow();
    if (entryId === undefined) return { session: await repo.fork(session, { cwd }), editorText: undefined };
    const { targetId, editorText } = await chosenPosition(session, entryId);
    return { session: await repo.fork(session, { entryId: targetId, cwd }), editorText };
  }
}
