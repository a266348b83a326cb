import type { CreateOptions, ForkOptions, ListItem, OpenOptions, SessionRepo } from "../repo.ts";
import type { Session } from "../session.ts";

/** A repository that remembers what it handed out, so that a test can let go of all of it. */
export class ClosingRepo implements SessionRepo {
  readonly #repo: SessionRepo;
  readonly #sessions: Session[] = [];

  constructor(repo: SessionRepo) {
    this.#repo = repo;
  }

  create(options: CreateOptions): Promise<Session> {
    return this.#kept(this.#repo.create(options));
  }

  open(ref: string, options?: OpenOptions): Promise<Session> {
    return this.#kept(this.#repo.open(ref, options));
  }

  list(options?: { readonly cwd?: string }): AsyncIterable<ListItem> {
    return this.#repo.list(options);
  }

  delete(ref: string): Promise<void> {
    return this.#repo.delete(ref);
  }

  fork(source: Session, options?: ForkOptions): Promise<Session> {
    return this.#kept(this.#repo.fork(source, options));
  }

  /** Closes every session that was handed out. */
  async closeAll(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.close()));
  }

  async #kept(opened: Promise<Session>): Promise<Session> {
    const session = await opened;
    this.#sessions.push(session);
    return session;
  }
}
