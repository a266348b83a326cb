import type { SessionFile, SessionFiles } from "../session-files.ts";

export type Failure =
  /** The operation throws and does nothing. */
  | "throw"
  /** A write stops half-way and says so. */
  | "short"
  /** A write stops half-way, and nothing works any more: the process is gone. */
  | "crash";

/** Counts what changes a file system and lets the n-th such operation (from 1) fail. */
export class FailingFiles implements SessionFiles {
  /** Changing operations so far. */
  operations = 0;
  readonly #files: SessionFiles;
  readonly #failAt: number;
  readonly #failure: Failure;
  #isDead = false;

  constructor(files: SessionFiles, failAt: number, failure: Failure) {
    this.#files = files;
    this.#failAt = failAt;
    this.#failure = failure;
  }

  async open(path: string, mode: "read" | "append" | "create"): Promise<SessionFile> {
    if (mode === "create") this.#step();
    else this.#checkAlive();
    return this.#wrap(await this.#files.open(path, mode));
  }

  async makeDirectory(path: string): Promise<void> {
    this.#step();
    await this.#files.makeDirectory(path);
  }

  async list(path: string): ReturnType<SessionFiles["list"]> {
    this.#checkAlive();
    return this.#files.list(path);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#step();
    await this.#files.rename(from, to);
  }

  async link(from: string, to: string): Promise<void> {
    this.#step();
    await this.#files.link(from, to);
  }

  async remove(path: string): Promise<void> {
    this.#step();
    await this.#files.remove(path);
  }

  async stat(path: string): ReturnType<SessionFiles["stat"]> {
    this.#checkAlive();
    return this.#files.stat(path);
  }

  #wrap(file: SessionFile): SessionFile {
    return {
      read: (buffer, position) => this.#alive(() => file.read(buffer, position)),
      size: () => this.#alive(() => file.size()),
      append: (bytes) => this.#append(file, bytes),
      truncate: async (length) => {
        this.#step();
        await file.truncate(length);
      },
      sync: async () => {
        this.#step();
        await file.sync();
      },
      // A dead process closes its files too.
      close: () => file.close(),
    };
  }

  async #append(file: SessionFile, bytes: Uint8Array): Promise<number> {
    this.#checkAlive();
    this.operations++;
    if (this.operations !== this.#failAt) return file.append(bytes);
    if (this.#failure === "throw") throw diskFull();
    const written = await file.append(bytes.subarray(0, Math.floor(bytes.length / 2)));
    if (this.#failure === "short") return written;
    this.#isDead = true;
    throw crashed();
  }

  #step(): void {
    this.#checkAlive();
    this.operations++;
    if (this.operations !== this.#failAt) return;
    if (this.#failure === "crash") this.#isDead = true;
    throw this.#isDead ? crashed() : diskFull();
  }

  async #alive<Value>(run: () => Promise<Value>): Promise<Value> {
    this.#checkAlive();
    return run();
  }

  #checkAlive(): void {
    if (this.#isDead) throw crashed();
  }
}

function diskFull(): Error {
  return Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
}

function crashed(): Error {
  return new Error("the process has been killed");
}
