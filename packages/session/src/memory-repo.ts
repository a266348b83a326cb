import type { SessionHeader } from "./entry.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { type SessionStore, StoreRepo, type StoreRepoOptions } from "./store-repo.ts";

export type MemoryRepoOptions = StoreRepoOptions;

/** Sessions that live as long as the process: for tests, and for runs that must leave no file. */
export class MemoryRepo extends StoreRepo {
  constructor(options: MemoryRepoOptions = {}) {
    super(new MemoryStore(), options);
  }
}

class MemoryStore implements SessionStore {
  readonly #storages = new Map<string, MemoryStorage>();

  async headers(): Promise<readonly SessionHeader[]> {
    return [...this.#storages.values()].filter(({ size }) => size > 0).map(({ header }) => header);
  }

  async storage(header: SessionHeader): Promise<MemoryStorage> {
    const storage = this.#storages.get(header.id) ?? new MemoryStorage(header);
    this.#storages.set(header.id, storage);
    return storage;
  }

  async delete(id: string): Promise<void> {
    this.#storages.delete(id);
  }
}
