import { isoTime, newHeader } from "./codec.ts";
import type { SessionHeader } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { forkEntries } from "./fork-entries.ts";
import { randomEntryId, uuidV7 } from "./ids.ts";
import type { CreateOptions, ForkOptions, ListItem, OpenOptions, SessionRepo } from "./repo.ts";
import { Session, type SessionOptions } from "./session.ts";
import type { SessionStorage } from "./storage.ts";
import { pagesOf } from "./storage-pages.ts";
import { Summary } from "./summarise-file.ts";

/** Where the sessions of a `StoreRepo` are: all that a store has to bring, beside its `SessionStorage`. */
export interface SessionStore {
  /** Headers of the sessions that have entries. */
  headers(): Promise<readonly SessionHeader[]>;
  /** The storage of a session, there already or new. */
  storage(header: SessionHeader): Promise<SessionStorage>;
  delete(id: string): Promise<void>;
  /**
   * Takes the right to write a session and resolves with what gives it back; rejects with `locked`. Without it, writers
   * of this repository exclude one another, and others are found out by `changed`.
   */
  lock?(id: string): Promise<() => Promise<void>>;
}

export interface StoreRepoOptions {
  /** Unix milliseconds. */
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly newSessionId?: () => string;
  readonly projectors?: SessionOptions["projectors"];
}

/** Sessions in any store. */
export class StoreRepo implements SessionRepo {
  readonly #store: SessionStore;
  readonly #options: StoreRepoOptions;
  readonly #writers = new Set<string>();

  constructor(store: SessionStore, options: StoreRepoOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  async create(options: CreateOptions): Promise<Session> {
    const header = this.#newHeader(options);
    if ((await this.#store.headers()).some(({ id }) => id === header.id)) {
      throw new SessionError({ code: "exists", message: `There is a session ${header.id} already.` });
    }
    return this.#open(header, false);
  }

  async open(ref: string, { readOnly = false, whenLocked }: OpenOptions = {}): Promise<Session> {
    const header = await this.#find(ref);
    const isTaken = !readOnly && this.#writers.has(header.id);
    if (isTaken && whenLocked === "fork") return this.fork(await this.#open(header, true));
    return this.#open(header, readOnly);
  }

  async *list({ cwd }: { readonly cwd?: string } = {}): AsyncGenerator<ListItem> {
    for (const header of await this.#store.headers()) {
      if (cwd === undefined || header.cwd === cwd) yield this.#listItem(header);
    }
  }

  async delete(ref: string): Promise<void> {
    const { id } = await this.#find(ref);
    const release = await this.#lock(id);
    try {
      await this.#store.delete(id);
    } finally {
      await release();
    }
  }

  async fork(source: Session, options: ForkOptions = {}): Promise<Session> {
    const path = await source.getBranch(options.entryId === undefined ? source.getLeafId() : options.entryId);
    const labels = new Map<string, string>();
    for (const { id } of path) {
      const label = await source.getLabel(id);
      if (label !== undefined) labels.set(id, label);
    }
    const supply = {
      newId: this.#options.newId ?? randomEntryId,
      timestamp: () => new Date(this.#now()).toISOString(),
    };
    const header = this.#newHeader({
      cwd: options.cwd ?? source.cwd,
      parentSession: source.path ?? source.id,
    });
    if (path.length > 0) {
      const storage = await this.#store.storage(header);
      await storage.append(forkEntries({ path, labels, name: await source.getName() }, supply), 0);
      await storage.close();
    }
    return this.#open(header, false);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #newHeader(options: CreateOptions): SessionHeader {
    const now = this.#now();
    const id = options.id ?? this.#options.newSessionId?.() ?? uuidV7(now);
    return newHeader({ ...options, id, timestamp: new Date(now).toISOString() });
  }

  async #open(header: SessionHeader, readOnly: boolean): Promise<Session> {
    const release = readOnly ? undefined : await this.#lock(header.id);
    const { now, newId, projectors } = this.#options;
    try {
      return await Session.open(await this.#store.storage(header), {
        readOnly,
        ...(now === undefined ? {} : { now }),
        ...(newId === undefined ? {} : { newId }),
        ...(projectors === undefined ? {} : { projectors }),
        ...(release === undefined ? {} : { onClose: release }),
      });
    } catch (error) {
      await release?.();
      throw error;
    }
  }

  async #lock(id: string): Promise<() => Promise<void>> {
    if (this.#writers.has(id)) {
      throw new SessionError({
        code: "locked",
        message: `This process is writing the session ${id} already.`,
      });
    }
    this.#writers.add(id);
    try {
      const release = await this.#store.lock?.(id);
      return async () => {
        this.#writers.delete(id);
        await release?.();
      };
    } catch (error) {
      this.#writers.delete(id);
      throw error;
    }
  }

  async #listItem(header: SessionHeader): Promise<ListItem> {
    const storage = await this.#store.storage(header);
    const summary = new Summary();
    let sizeBytes = 0;
    for await (const { items } of pagesOf(storage)) {
      for (const item of items) if (item.kind === "entry") summary.take(item.entry);
      sizeBytes += JSON.stringify(items).length;
    }
    await storage.close();
    const { id, cwd, timestamp, parentSession } = header;
    return {
      id,
      path: storage.path,
      cwd,
      name: summary.name,
      firstPrompt: summary.firstPrompt,
      lastMessageAt: summary.lastMessageMs === undefined ? timestamp : isoTime(summary.lastMessageMs),
      messageCount: summary.messageCount,
      sizeBytes,
      parentSession,
    };
  }

  async #find(ref: string): Promise<SessionHeader> {
    const all = await this.#store.headers();
    const exact = all.find(({ id }) => id === ref);
    if (exact !== undefined) return exact;
    const matches = ref === "" ? [] : all.filter(({ id }) => id.startsWith(ref));
    const [match, ...others] = matches;
    if (match === undefined) {
      throw new SessionError({
        code: "not_found",
        message: `No session has an id that starts with "${ref}".`,
      });
    }
    if (others.length > 0) {
      const ids = matches.map(({ id }) => id).sort();
      throw new SessionError({
        code: "ambiguous",
        message: `"${ref}" is the start of several ids: ${ids.join(", ")}.`,
      });
    }
    return match;
  }
}
