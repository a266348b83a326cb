import type { FileSystem } from "../env/environment.ts";
import type { FileTree, TreeChange, UnkeptFile, UnkeptLimits } from "./file-tree.ts";
import type { FolderReader } from "./folder-reader.ts";
import { FolderWatches } from "./folder-watches.ts";
import { GitTracked } from "./git-tracked.ts";
import { outerRules } from "./outer-rules.ts";
import { pathsToCheck } from "./paths-to-check.ts";
import { TreeIndex } from "./tree-index.ts";

export interface IndexedTreeOptions {
  /** Absolute. */
  readonly root: string;
  readonly reader: FolderReader;
  /** Reads the whole tree for the first time, where that goes quicker than by `reader`. */
  readonly firstReader?: FirstReader;
  readonly files: Pick<FileSystem, "stat" | "readFile">;
  /** Whose git configuration counts; absent: nobody's. */
  readonly homeDirectory?: string | undefined;
  /** A tree of more files is not looked at. */
  readonly maxFiles: number;
  /** The same for a tree that grew. Default: `maxFiles`. */
  readonly maxFilesLater?: number;
  /** The system tells which folders to look at again; otherwise every look is at all of them. */
  readonly isWatched: boolean;
}

/** A reader that is ended when it is not needed any more. */
export interface FirstReader extends FolderReader {
  end(): Promise<void>;
}

/** Files that are copied although git may keep them by now. */
const FEW_FILES = 32;
/** A look that nobody waits for stops for a command, but not longer. */
const MAX_GIVEN_WAY_MS = 2000;
/** Reading the index of git takes its time in a large repository. */
const IDLE_MS = 200;

/** A tree whose index lies in this thread. */
export class IndexedTree implements FileTree {
  readonly #options: IndexedTreeOptions;
  readonly #git: GitTracked;
  /** Watches, while they work. */
  #watches: FolderWatches | undefined;
  #index: TreeIndex | undefined;
  #first: Promise<boolean> | undefined;
  /** Looks follow one another. */
  #last: Promise<unknown> = Promise.resolve();
  /** Looks that are asked for and not over. */
  #turns = 0;
  #refreshing: NodeJS.Timeout | undefined;
  /** While a command has way. */
  #command: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  /** Tells what the look at everything that is going on has found; others leave that to it. */
  #isMissed: ((change: TreeChange) => boolean) | undefined;
  #isClosed = false;
  /** Paths whose content may be kept nowhere; undefined = nothing was checked yet. */
  #unchecked: Set<string> | undefined;

  constructor(options: IndexedTreeOptions) {
    this.#options = options;
    this.#git = new GitTracked({ cwd: options.root, files: options.files });
  }

  /** Undefined before the first look is over, and for a tree that is too large. */
  get fileCount(): number | undefined {
    return this.#index?.fileCount;
  }

  /** Whether there are too many files; looks for the first time. */
  async isTooLarge(): Promise<boolean> {
    return !(await this.#ready());
  }

  warm(): void {
    void this.#ready();
    this.#refreshSoon();
  }

  baseline({ isExact }: { readonly isExact: boolean }): Promise<readonly TreeChange[] | undefined> {
    return this.#inTurn(async () => {
      const isFirst = this.#first === undefined;
      if (!(await this.#ready())) return undefined;
      const mustLook = !isFirst && (isExact || this.#watches !== undefined);
      if (mustLook && !(await this.#look())) return undefined;
      return this.#taken();
    });
  }

  giveWay(): void {
    this.#command?.end();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => command.end(), MAX_GIVEN_WAY_MS).unref();
    const end = () => {
      clearTimeout(timer);
      if (this.#command === command) this.#command = undefined;
      resolve();
    };
    const command = { over: promise, end };
    this.#command = command;
  }

  changes(): Promise<readonly TreeChange[] | undefined> {
    this.#command?.end();
    return this.#inTurn(async () => {
      if (this.#index === undefined || !(await this.#look())) return undefined;
      // It is of the time before the command.
      return this.#taken((change) => this.#isMissed?.(change) !== true);
    });
  }

  async verify({ untilMs }: { readonly untilMs: number }): Promise<readonly TreeChange[]> {
    const [index, watches] = [this.#index, this.#watches];
    if (index === undefined || watches === undefined) return [];
    const record = watches.beginRecord();
    const found = new Set<string>();
    this.#isMissed = ({ path, after }) =>
      found.has(path) &&
      !record.concerned(path) &&
      (after === undefined || (after.changedAtMs ?? untilMs) <= untilMs);
    try {
      const isWhole = await index.scan({ maxFiles: this.#mostFiles, found, isPatient: true });
      if (!isWhole) this.#forgetAll();
      if (found.size === 0 || this.#index !== index) return [];
      await watches.drain();
      return this.#taken(this.#isMissed);
    } finally {
      this.#isMissed = undefined;
      record.end();
    }
  }

  takeUnkept({ maxFiles, maxBytes, maxFileBytes }: UnkeptLimits): Promise<readonly UnkeptFile[]> {
    return this.#inTurn(async () => {
      const isKnown = await this.#ready();
      const index = this.#index;
      if (!isKnown || index === undefined) return [];
      // A few files are copied sooner than git's index is read.
      if ((this.#unchecked?.size ?? Number.POSITIVE_INFINITY) > FEW_FILES) await this.#git.refresh();
      const unkept: UnkeptFile[] = [];
      let bytes = 0;
      this.#unchecked ??= pathsToCheck({ folders: index.folders, git: this.#git });
      for (const path of this.#unchecked) {
        const stamp = index.stampOf(path);
        if (
          stamp !== undefined &&
          stamp.sizeBytes <= maxFileBytes &&
          this.#git.objectOf(path, stamp) === undefined
        ) {
          bytes += stamp.sizeBytes;
          if (unkept.length === maxFiles || bytes > maxBytes) return unkept;
          unkept.push({ path, stamp });
        }
        this.#unchecked.delete(path);
      }
      return unkept;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#refreshing);
    this.#command?.end();
    this.#forgetAll();
  }

  get #mostFiles(): number {
    return this.#options.maxFilesLater ?? this.#options.maxFiles;
  }

  /** False = too many files, which stays so. */
  #ready(): Promise<boolean> {
    this.#first ??= this.#firstLook();
    return this.#first;
  }

  async #firstLook(): Promise<boolean> {
    const { root, reader, homeDirectory, isWatched } = this.#options;
    if (isWatched) this.#watches = this.#startWatching();
    const index = new TreeIndex({
      ...{ root, reader, pause: (isPatient) => this.#pause(isPatient) },
      onStamp: (path) => this.#unchecked?.add(path),
      outerRules: await outerRules({ root, reader, homeDirectory }),
      folders: {
        added: (folder) => this.#watches?.added(folder),
        removed: (folder) => this.#watches?.removed(folder),
      },
    });
    // Read at the same time: what it keeps stays kept.
    const refreshed = this.#git.refresh();
    const isKnown = await this.#firstScan(index);
    if (!isKnown || this.#isClosed) {
      this.#watches?.close();
      return false;
    }
    this.#index = index;
    await refreshed;
    return true;
  }

  async #firstScan(index: TreeIndex): Promise<boolean> {
    const { maxFiles, firstReader } = this.#options;
    if (firstReader === undefined) return index.scan({ maxFiles });
    try {
      return await index.scanFirst({ maxFiles, reader: firstReader });
    } finally {
      void firstReader.end();
    }
  }

  /** Reads git's index, if it is another one, when nobody has asked for anything for a moment. */
  #refreshSoon(): void {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => void this.#inTurn(() => this.#git.refresh()), IDLE_MS);
    this.#refreshing.unref();
  }

  /** Between the folders of a scan. One that nobody waits for goes on when all looks, and the command, are over. */
  async #pause(isPatient: boolean): Promise<void> {
    await nextTurn();
    while (isPatient && (this.#turns > 0 || this.#command !== undefined)) {
      await (this.#command?.over ?? this.#last);
    }
  }

  #startWatching(): FolderWatches {
    const onFailure = () => {
      this.#watches = undefined;
    };
    return new FolderWatches({ root: this.#options.root, onFailure });
  }

  /** False = there are too many files by now; the next look begins anew. */
  async #look(): Promise<boolean> {
    const [index, watches, maxFiles] = [this.#index, this.#watches, this.#mostFiles];
    if (index === undefined) return false;
    await watches?.drain();
    const told = watches?.takeDoubts() ?? "all";
    // A root that was not there is not watched.
    const doubts = index.folders.size === 0 ? "all" : told;
    if (doubts === "all" && watches !== undefined) {
      // Watches of folders that were replaced are dead.
      for (const folder of [...index.folders.keys()]) {
        watches.removed(folder);
        watches.added(folder);
      }
    }
    const isWhole =
      doubts === "all" ? await index.scan({ maxFiles }) : await index.update(doubts, { maxFiles });
    if (!isWhole) this.#forgetAll();
    return isWhole;
  }

  #forgetAll(): void {
    this.#watches?.close();
    this.#index?.clear();
    this.#index = undefined;
    this.#first = Promise.resolve(false);
  }

  #taken(only?: (change: TreeChange) => boolean): readonly TreeChange[] {
    return (this.#index?.takeChanges(only) ?? []).map((change) => {
      const objectId = change.before && this.#git.objectOf(change.path, change.before);
      return objectId === undefined ? change : { ...change, objectId };
    });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#turns++;
    const result = this.#last.then(work).finally(() => this.#turns--);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
