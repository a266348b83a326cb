import { Worker } from "node:worker_threads";
import type { FileTree, TreeChange, UnkeptFile, UnkeptLimits } from "./file-tree.ts";

/** What the thread is made with. */
export interface ThreadData {
  /** Absolute. */
  readonly root: string;
  readonly homeDirectory?: string | undefined;
  readonly maxFiles: number;
  readonly isWatched: boolean;
}

type Argument<Method extends keyof FileTree> = Parameters<Required<FileTree>[Method]>[0];

/** A call of a method of the tree in the thread. */
export type ThreadCall = { readonly id: number } & (
  | { readonly method: "warm" | "giveWay" | "changes"; readonly argument?: undefined }
  | { readonly method: "baseline"; readonly argument: Argument<"baseline"> }
  | { readonly method: "verify"; readonly argument: Argument<"verify"> }
  | { readonly method: "takeUnkept"; readonly argument: UnkeptLimits }
);

/** A call that failed has no value. */
export interface ThreadAnswer {
  readonly id: number;
  readonly value?: unknown;
}

type WithoutId<Call> = Call extends unknown ? Omit<Call, "id"> : never;

/** Beside this module, built or not. */
const THREAD_FILE = import.meta.url.endsWith(".ts") ? "./tree-thread.ts" : "./tree-thread.js";

/**
 * A tree of the local disk whose index lies in a thread of its own: looking at tens of thousands of files holds nothing up.
 *
 * The thread starts with the first call, keeps no program running that has nothing else to do, and is started anew when it
 * broke.
 */
export class ThreadTree implements FileTree {
  readonly #data: ThreadData;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(data: ThreadData) {
    this.#data = data;
  }

  warm(): void {
    void this.#call({ method: "warm" });
  }

  baseline(argument: { readonly isExact: boolean }): Promise<readonly TreeChange[] | undefined> {
    return this.#call({ method: "baseline", argument });
  }

  giveWay(): void {
    void this.#call({ method: "giveWay" });
  }

  changes(): Promise<readonly TreeChange[] | undefined> {
    return this.#call({ method: "changes" });
  }

  async verify(argument: { readonly untilMs: number }): Promise<readonly TreeChange[]> {
    return (await this.#call<readonly TreeChange[]>({ method: "verify", argument })) ?? [];
  }

  async takeUnkept(argument: UnkeptLimits): Promise<readonly UnkeptFile[]> {
    return (await this.#call<readonly UnkeptFile[]>({ method: "takeUnkept", argument })) ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#giveUp(worker);
    await worker?.terminate();
  }

  #call<Value>(call: WithoutId<ThreadCall>): Promise<Value | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    // While somebody waits for an answer the program goes on.
    worker.ref();
    return new Promise((resolve) => {
      this.#waiting.set(id, (value) => resolve(value as Value | undefined));
      worker.postMessage({ ...call, id });
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL(THREAD_FILE, import.meta.url), {
      workerData: this.#data,
      // Nothing of the program's environment is needed there, and nothing that it says is for users.
      ...{ env: {}, execArgv: [], stdout: true, stderr: true },
      // What a scan leaves behind is short-lived; more room for it would only be held.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.on("message", ({ id, value }: ThreadAnswer) => {
      this.#waiting.get(id)?.(value);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    });
    worker.on("error", () => this.#giveUp(worker));
    worker.on("exit", () => this.#giveUp(worker));
    return worker;
  }

  /** Whoever waits is told that nothing is known. */
  #giveUp(worker: Worker | undefined): void {
    if (worker === undefined || this.#worker !== worker) return;
    this.#worker = undefined;
    for (const answer of this.#waiting.values()) answer(undefined);
    this.#waiting.clear();
  }
}
