import { join } from "node:path";
import { createLocalFiles } from "../env/local-files.ts";
import type { FileTree, TreeChange, UnkeptFile, UnkeptLimits } from "./file-tree.ts";
import { IndexedTree } from "./indexed-tree.ts";
import { localReader } from "./local-reader.ts";
import { HEADER_BYTES, parseGitIndexHeader } from "./parse-git-index.ts";
import type { ThreadTree } from "./thread-tree.ts";

export interface LocalTreeOptions {
  /** Absolute. */
  readonly root: string;
  /** Whose git configuration counts; absent: nobody's. */
  readonly homeDirectory?: string | undefined;
  /** Trees of more files get a thread of their own; default: 2000, which takes about 10 ms to look through. */
  readonly maxFilesHere?: number;
}

const MAX_FILES_HERE = 2000;
/** A tree that grows while a command runs is still looked through once. */
const MAX_FILES_GROWN = 60_000;
/** About 100 MB of index. */
const MAX_FILES = 500_000;

/** A tree of the local disk: looked through at every call while it is small, else watched from a thread. */
export class LocalTree implements FileTree {
  readonly #options: Required<Pick<LocalTreeOptions, "maxFilesHere">> & LocalTreeOptions;
  readonly #files = createLocalFiles({ newSuffix: () => "never-written" });
  #here: IndexedTree | undefined;
  #thread: ThreadTree | undefined;
  /** Between the looks before and after a command the index stays where it is. */
  #isInCommand = false;
  /** Asked once. */
  #looksLarge: Promise<boolean> | undefined;
  #isClosed = false;

  constructor(options: LocalTreeOptions) {
    this.#options = { maxFilesHere: MAX_FILES_HERE, ...options };
    const { root, homeDirectory, maxFilesHere } = this.#options;
    this.#here = new IndexedTree({
      ...{ root, homeDirectory, reader: localReader, isWatched: false },
      ...{ maxFiles: maxFilesHere, maxFilesLater: MAX_FILES_GROWN },
      files: this.#files,
    });
  }

  warm(): void {
    void this.#place().then((tree) => tree?.warm());
  }

  async baseline(options: { readonly isExact: boolean }): Promise<readonly TreeChange[] | undefined> {
    this.#isInCommand = false;
    const place = await this.#place();
    this.#isInCommand = true;
    return place?.baseline(options);
  }

  giveWay(): void {
    (this.#here ?? this.#thread)?.giveWay();
  }

  async changes(): Promise<readonly TreeChange[] | undefined> {
    this.#isInCommand = false;
    return (this.#here ?? this.#thread)?.changes();
  }

  async verify(options: { readonly untilMs: number }): Promise<readonly TreeChange[]> {
    return (await (this.#here ?? this.#thread)?.verify(options)) ?? [];
  }

  async takeUnkept(limits: UnkeptLimits): Promise<readonly UnkeptFile[]> {
    return (await (await this.#place())?.takeUnkept(limits)) ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#here?.close(), this.#thread?.close()]);
  }

  /** Where the index lies; a tree that is too large for this thread moves, and does not come back. */
  async #place(): Promise<FileTree | undefined> {
    const { root, homeDirectory, maxFilesHere } = this.#options;
    const here = this.#here;
    if (here !== undefined) {
      this.#looksLarge ??= this.#tracksMany();
      const isTooLarge = (await this.#looksLarge) || (await here.isTooLarge());
      const hasGrown = (here.fileCount ?? 0) > maxFilesHere && !this.#isInCommand;
      if (!isTooLarge && !hasGrown) return here;
      this.#here = undefined;
      await here.close();
    }
    // Most programs need no threads, and Node's part for them takes a millisecond to load.
    const { ThreadTree } = await import("./thread-tree.ts");
    if (this.#isClosed) return undefined;
    this.#thread ??= new ThreadTree({ root, homeDirectory, maxFiles: MAX_FILES, isWatched: canWatch });
    return this.#thread;
  }

  /** Whether git tracks many files, by what its index begins with: then nothing is looked at here. */
  async #tracksMany(): Promise<boolean> {
    const { root, maxFilesHere } = this.#options;
    const path = join(root, ".git/index");
    const header = await this.#files.readRange(path, 0, HEADER_BYTES).catch(() => new Uint8Array());
    return parseGitIndexHeader(header).entryCount > maxFilesHere;
  }
}

/** Elsewhere the system tells of changes late, or of whole trees only. */
const canWatch = process.platform === "linux";
