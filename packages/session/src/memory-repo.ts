import { isoTime, newHeader } from "./codec.ts";
import type { SessionHeader } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { forkEntries } from "./fork-entries.ts";
import { randomEntryId, uuidV7 } from "./ids.ts";
import { MemoryStorage } from "./memory-storage.ts";
import type { CreateOptions, ForkOptions, ListItem, OpenOptions, SessionRepo } from "./repo.ts";
import { Session, type SessionOptions } from "./session.ts";
import { pagesOf } from "./storage-pages.ts";
import { Summary } from "./summarise-file.ts";

export interface MemoryRepoOptions {
  /** Unix milliseconds. */
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly newSessionId?: () => string;
  readonly projectors?: SessionOptions["projectors"];
}

/** Sessions that live as long as the process: for tests, and for runs that must leave no file. */
export class MemoryRepo implements SessionRepo {
  readonly #options: MemoryRepoOptions;
  readonly #storages = new Map<string, MemoryStorage>();
  readonly #writers = new Set<string>();

  constructor(options: MemoryRepoOptions = {}) {
    this.#options = options;
  }

  async create(options: CreateOptions): Promise<Session> {
    const storage = new MemoryStorage(this.#newHeader(options));
    if (this.#storages.has(storage.header.id)) {
      throw new SessionError({ code: "exists", message: `There is a session ${storage.header.id} already.` });
    }
    this.#storages.set(storage.header.id, storage);
    return this.#openStorage(storage, false);
  }

  async open(ref: string, { readOnly = false, whenLocked }: OpenOptions = {}): Promise<Session> {
    const storage = this.#find(ref);
    const isTaken = !readOnly && this.#writers.has(storage.header.id);
    if (isTaken && whenLocked === "fork") return this.fork(await this.#openStorage(storage, true));
    return this.#openStorage(storage, readOnly);
  }

  async *list({ cwd }: { readonly cwd?: string } = {}): AsyncGenerator<ListItem> {
    for (const storage of this.#storages.values()) {
      if (storage.size === 0 || (cwd !== undefined && storage.header.cwd !== cwd)) continue;
      yield await summarise(storage);
    }
  }

  async delete(ref: string): Promise<void> {
    const { id } = this.#find(ref).header;
    if (this.#writers.has(id)) throw locked(id);
    this.#storages.delete(id);
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
    const storage = new MemoryStorage(
      this.#newHeader({ cwd: options.cwd ?? source.cwd, parentSession: source.path ?? source.id }),
    );
    if (path.length > 0) {
      await storage.append(forkEntries({ path, labels, name: await source.getName() }, supply), 0);
    }
    this.#storages.set(storage.header.id, storage);
    return this.#openStorage(storage, false);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #newHeader(options: CreateOptions): SessionHeader {
    const now = this.#now();
    const id = options.id ?? this.#options.newSessionId?.() ?? uuidV7(now);
    return newHeader({ ...options, id, timestamp: new Date(now).toISOString() });
  }

  async #openStorage(storage: MemoryStorage, readOnly: boolean): Promise<Session> {
    const { id } = storage.header;
    if (!readOnly && this.#writers.has(id)) throw locked(id);
    if (!readOnly) this.#writers.add(id);
    const { now, newId, projectors } = this.#options;
    return Session.open(storage, {
      readOnly,
      ...(now === undefined ? {} : { now }),
      ...(newId === undefined ? {} : { newId }),
      ...(projectors === undefined ? {} : { projectors }),
      onClose: async () => {
        if (!readOnly) this.#writers.delete(id);
      },
    });
  }

  #find(ref: string): MemoryStorage {
    const exact = this.#storages.get(ref);
    if (exact !== undefined) return exact;
    const matches = [...this.#storages.values()].filter(
      ({ header }) => ref !== "" && header.id.startsWith(ref),
    );
    const [match, ...others] = matches;
    if (match === undefined) {
      throw new SessionError({
        code: "not_found",
        message: `No session has an id that starts with "${ref}".`,
      });
    }
    if (others.length > 0) {
      const ids = matches.map(({ header }) => header.id).join(", ");
      throw new SessionError({ code: "ambiguous", message: `"${ref}" is the start of several ids: ${ids}.` });
    }
    return match;
  }
}

async function summarise(storage: MemoryStorage): Promise<ListItem> {
  const summary = new Summary();
  let sizeBytes = 0;
  for await (const { items } of pagesOf(storage)) {
    for (const item of items) if (item.kind === "entry") summary.take(item.entry);
    sizeBytes += JSON.stringify(items).length;
  }
  const { id, cwd, timestamp, parentSession } = storage.header;
  return {
    id,
    path: undefined,
    cwd,
    name: summary.name,
    firstPrompt: summary.firstPrompt,
    lastMessageAt: summary.lastMessageMs === undefined ? timestamp : isoTime(summary.lastMessageMs),
    messageCount: summary.messageCount,
    sizeBytes,
    parentSession,
  };
}

function locked(id: string): SessionError {
  return new SessionError({ code: "locked", message: `This process is writing the session ${id} already.` });
}
