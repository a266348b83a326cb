import { Worker } from "node:worker_threads";
import type { FileStamp } from "./file-stamp.ts";
import type { FolderEntry, FolderReader } from "./folder-reader.ts";
import { localReader } from "./local-reader.ts";
import { stampAt } from "./stamp-values.ts";

/** Absolute folders for a thread to read. */
export interface ReadingCall {
  readonly folders: readonly string[];
}

/** What a thread found in a folder. */
export interface FolderReport {
  /** Names. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Answers a call, folder by folder. Calls of a thread are answered in order. */
export interface ReadingAnswer {
  readonly reports: readonly (FolderReport | undefined)[];
  /** Stamps of the files of all reports, in order. */
  readonly values: Float64Array;
}

export interface ReadingCrewOptions {
  /** Threads besides the one that asks. They start when there is enough to read for them. */
  readonly threadCount: number;
  /** So many folders that wait are enough; default: 16. */
  readonly enoughFolders?: number;
}

interface Asked {
  readonly folder: string;
  readonly answer: (entries: readonly FolderEntry[] | undefined) => void;
}

interface Helper {
  readonly worker: Worker;
  /** Calls that it has not answered, oldest first. */
  readonly calls: (readonly Asked[])[];
}

const ENOUGH_FOLDERS = 16;
/** Folders of a call: with some tens of files each they are read in a few milliseconds. */
const FOLDERS_A_CALL = 12;
/** One is read while the next one waits. */
const CALLS_A_HELPER = 2;
/** Folders read here before others have their turn. */
const FOLDERS_A_TURN = 4;

/** Beside this module, built or not. */
const THREAD_FILE = import.meta.url.endsWith(".ts") ? "./reading-thread.ts" : "./reading-thread.js";

/**
 * Reads folders of the local disk here and in threads at the same time, for a tree that is read for the first time: the
 * system takes most of that time, and does as much on every core.
 *
 * The stamps of files are read with the names of their folder. When it is ended all goes on here.
 */
export class ReadingCrew implements FolderReader {
  readonly text = localReader.text;
  readonly look = localReader.look;
  readonly #options: Required<ReadingCrewOptions>;
  readonly #asked: Asked[] = [];
  /** By folder, of files that a thread has read and nobody has asked for. */
  readonly #stamps = new Map<string, Map<string, FileStamp>>();
  /** Absent before there is enough to read. */
  #helpers: Set<Helper> | undefined;
  #isTurnComing = false;
  #isOver = false;

  constructor(options: ReadingCrewOptions) {
    this.#options = { enoughFolders: ENOUGH_FOLDERS, ...options };
  }

  entries(folder: string): Promise<readonly FolderEntry[] | undefined> {
    return new Promise((answer) => {
      this.#asked.push({ folder, answer });
      this.#goOn();
    });
  }

  stamps(folder: string, names: readonly string[]): Map<string, FileStamp> {
    const known = this.#stamps.get(folder);
    if (known === undefined) return localReader.stamps(folder, names);
    this.#stamps.delete(folder);
    if (known.size === names.length && names.every((name) => known.has(name))) return known;
    const wanted = new Set(names);
    return new Map([...known].filter(([name]) => wanted.has(name)));
  }

  /** Ends its threads; what they have not answered is read here. */
  async end(): Promise<void> {
    this.#isOver = true;
    const helpers = [...(this.#helpers ?? [])];
    for (const helper of helpers) this.#dismiss(helper);
    await Promise.all(helpers.map(({ worker }) => worker.terminate()));
  }

  #goOn(): void {
    if (this.#isTurnComing) return;
    this.#isTurnComing = true;
    setImmediate(() => this.#turn());
  }

  /** Hands out what there is and does a part of it. */
  #turn(): void {
    this.#isTurnComing = false;
    if (this.#asked.length >= this.#options.enoughFolders && !this.#isOver) this.#helpers ??= this.#start();
    for (const helper of this.#helpers ?? []) this.#handOut(helper);
    for (const { folder, answer } of this.#asked.splice(0, FOLDERS_A_TURN)) {
      answer(localReader.entries(folder));
    }
    if (this.#asked.length > 0) this.#goOn();
  }

  #start(): Set<Helper> {
    const helpers = new Set<Helper>();
    try {
      while (helpers.size < this.#options.threadCount) helpers.add(this.#startHelper());
    } catch {
      // No more threads are to be had.
    }
    return helpers;
  }

  #startHelper(): Helper {
    const worker = new Worker(new URL(THREAD_FILE, import.meta.url), {
      // Nothing of the program's environment is needed there, and nothing that it says is for users.
      ...{ env: {}, execArgv: [], stdout: true, stderr: true },
    });
    const helper: Helper = { worker, calls: [] };
    worker.on("message", (answer: ReadingAnswer) => this.#take(helper, answer));
    worker.on("error", () => this.#dismiss(helper));
    worker.on("exit", () => this.#dismiss(helper));
    return helper;
  }

  #handOut(helper: Helper): void {
    while (helper.calls.length < CALLS_A_HELPER && this.#asked.length > 0) {
      const call = this.#asked.splice(0, FOLDERS_A_CALL);
      helper.calls.push(call);
      helper.worker.postMessage({ folders: call.map(({ folder }) => folder) } satisfies ReadingCall);
    }
  }

  #take(helper: Helper, { reports, values }: ReadingAnswer): void {
    if (this.#helpers?.has(helper) !== true) return;
    const call = helper.calls.shift() ?? [];
    this.#handOut(helper);
    let at = 0;
    for (const [place, { folder, answer }] of call.entries()) {
      const report = reports[place];
      if (report !== undefined) this.#stamps.set(folder, stampsOf(report, values, at));
      at += report?.files.length ?? 0;
      answer(report && entriesOf(report));
    }
  }

  /** It answers no more. */
  #dismiss(helper: Helper): void {
    if (this.#helpers?.delete(helper) !== true) return;
    this.#asked.unshift(...helper.calls.flat());
    this.#goOn();
  }
}

function stampsOf({ files }: FolderReport, values: Float64Array, first: number): Map<string, FileStamp> {
  const stamps = new Map<string, FileStamp>();
  for (const [at, name] of files.entries()) {
    const stamp = stampAt(values, first + at);
    if (stamp !== undefined) stamps.set(name, stamp);
  }
  return stamps;
}

function entriesOf({ files, folders }: FolderReport): readonly FolderEntry[] {
  return [
    ...files.map((name) => ({ name, kind: "file" }) as const),
    ...folders.map((name) => ({ name, kind: "folder" }) as const),
  ];
}
