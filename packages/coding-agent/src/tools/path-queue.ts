interface OpenTask {
  /** Undefined: it may touch any file. */
  readonly realPath: string | undefined;
  readonly isWriting: boolean;
  /** Never rejects. */
  readonly over: Promise<void>;
}

/** Finds the path that a call means; asked only when nothing before it can still make or remove that file. */
type Locate = () => Promise<string>;

/**
 * Keeps calls in order where order matters: a task waits for the earlier ones that touch the same files, if it or they
 * may write. Everything else runs in parallel.
 *
 * The place in the order is that of the call of `read`, `write`, `survey` or `alone`. Files are told apart by their real
 * path, so spellings and links of one file are one.
 */
export class PathQueue {
  readonly #realPath: (path: string) => Promise<string>;
  readonly #open = new Set<OpenTask>();
  /** Places are taken one by one, so that a slow link does not let a later call overtake. */
  #placing: Promise<unknown> = Promise.resolve();

  constructor(realPath: (path: string) => Promise<string>) {
    this.#realPath = realPath;
  }

  /** Looks at one file. Rejects when the path cannot be resolved or the task rejects; neither holds up those behind. */
  read<Result>(locate: Locate, task: (realPath: string) => Promise<Result>): Promise<Result> {
    return this.#onFile(locate, { isWriting: false, task });
  }

  /** Changes one file. Rejects as `read` does. */
  write<Result>(locate: Locate, task: (realPath: string) => Promise<Result>): Promise<Result> {
    return this.#onFile(locate, { isWriting: true, task });
  }

  /** Looks at any files. */
  async survey<Result>(task: () => Promise<Result>): Promise<Result> {
    const { result } = await this.#place(async () => ({
      result: this.#start({ realPath: undefined, isWriting: false, task }),
    }));
    return result;
  }

  /** May change any file: runs when everything before it is over, and everything behind it waits. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#place(() => this.#start({ realPath: undefined, isWriting: true, task }));
  }

  async #onFile<Result>(
    locate: Locate,
    { isWriting, task }: { readonly isWriting: boolean; readonly task: (path: string) => Promise<Result> },
  ): Promise<Result> {
    const { result } = await this.#place(async () => {
      const realPath = await this.#realPath(await locate());
      return { result: this.#start({ realPath, isWriting, task: () => task(realPath) }) };
    });
    return result;
  }

  #place<Placed>(take: () => Promise<Placed>): Promise<Placed> {
    const placed = this.#placing.then(take);
    this.#placing = settled(placed);
    return placed;
  }

  #start<Result>(wanted: Omit<OpenTask, "over"> & { readonly task: () => Promise<Result> }): Promise<Result> {
    const before = [...this.#open].filter((one) => mustKeepOrder(one, wanted)).map(({ over }) => over);
    const result = Promise.all(before).then(wanted.task);
    const open: OpenTask = { ...wanted, over: settled(result) };
    this.#open.add(open);
    void open.over.then(() => this.#open.delete(open));
    return result;
  }
}

function mustKeepOrder(a: Omit<OpenTask, "over">, b: Omit<OpenTask, "over">): boolean {
  const canMeet = a.realPath === undefined || b.realPath === undefined || a.realPath === b.realPath;
  return canMeet && (a.isWriting || b.isWriting);
}

function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  );
}
