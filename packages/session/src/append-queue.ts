/** What became of one queued item. */
export type Outcome<Result> = { readonly value: Result } | { readonly error: unknown };

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes in call order, one at a time; what is queued while a write runs goes into the next one together.
 *
 * When a write fails, everything queued behind it fails with the same error, because it was meant to follow it.
 */
export class AppendQueue<Item, Result> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  /** `write` gets what was queued, in order, and resolves with one outcome each, or rejects for all. */
  constructor(write: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>) {
    this.#write = write;
  }

  /** Resolves with the item's result once it is written. */
  push(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    this.#running ??= this.#drain();
    return promise;
  }

  /** Runs a task while no write is under way; writes queued meanwhile wait for it. */
  async exclusively<Value>(task: () => Promise<Value>): Promise<Value> {
    while (this.#running !== undefined) await this.#running;
    const result = task();
    this.#running = result.then(
      () => this.#drain(),
      () => this.#drain(),
    );
    return result;
  }

  /** Settles when nothing is waiting or running; never rejects. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    // Calls made in the same tick join the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeBatch(batch);
    }
    this.#running = undefined;
  }

  async #writeBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#write(batch.map(({ item }) => item));
      for (const [index, outcome] of outcomes.entries()) {
        if ("value" in outcome) batch[index]?.resolve(outcome.value);
        else batch[index]?.reject(outcome.error);
      }
    } catch (error) {
      const failed = [...batch, ...this.#waiting];
      this.#waiting = [];
      for (const { reject } of failed) reject(error);
    }
  }
}
