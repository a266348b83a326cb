/**
 * Runs tasks on the same file one after the other, in the order of the calls of `run`; other files in parallel.
 *
 * The key is the real path, so spellings and links of one file share a queue.
 */
export class PathQueue {
  readonly #realPath: (path: string) => Promise<string>;
  readonly #tails = new Map<string, Promise<unknown>>();
  /** Paths resolve one by one, so that a slow link does not let a later call overtake. */
  #resolving: Promise<unknown> = Promise.resolve();

  constructor(realPath: (path: string) => Promise<string>) {
    this.#realPath = realPath;
  }

  /** Rejects when the path cannot be resolved or the task rejects; neither holds up the tasks behind it. */
  async run<Result>(path: string, task: (realPath: string) => Promise<Result>): Promise<Result> {
    const place = this.#resolving.then(async () => {
      const realPath = await this.#realPath(path);
      return { result: this.#enqueue(realPath, task) };
    });
    this.#resolving = place.catch(() => undefined);
    return (await place).result;
  }

  /** Resolves when every task asked for so far is over. */
  async settled(): Promise<void> {
    await this.#resolving;
    await Promise.all(this.#tails.values());
  }

  #enqueue<Result>(key: string, task: (realPath: string) => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(() => task(key));
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }
}
