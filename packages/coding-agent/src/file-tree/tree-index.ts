import { type IgnoreFile, isIgnored, parseIgnoreFile } from "../tools/search/ignore-rules.ts";
import { type FileStamp, isSameStamp } from "./file-stamp.ts";
import type { TreeChange } from "./file-tree.ts";
import type { FolderEntry, FolderReader } from "./folder-reader.ts";

/** Is told of folders that came into the tree or left it, by path relative to the root. */
export interface FolderListener {
  added(folder: string): void;
  removed(folder: string): void;
}

export interface TreeIndexOptions {
  /** Absolute. */
  readonly root: string;
  readonly reader: FolderReader;
  /** Rules of ignore files that lie outside of the tree. */
  readonly outerRules?: readonly IgnoreFile[];
  /** Lets others have their turn; `isPatient`: as long as they like. */
  readonly pause: (isPatient: boolean) => Promise<void>;
  readonly folders?: FolderListener;
  /** A file came in, or has another stamp. */
  readonly onStamp?: (path: string) => void;
}

/** What may have changed in a folder: everything, or names → whether they may stand for something else now. */
export type Doubt = "all" | ReadonlyMap<string, boolean>;

export interface ScanOptions {
  /** More files than that are too many: the scan ends. */
  readonly maxFiles: number;
  /** Gets the paths of files that were found to be different. */
  readonly found?: Set<string>;
  /** Nobody waits for it. */
  readonly isPatient?: boolean;
}

export interface FirstScanOptions extends ScanOptions {
  /** Reads many folders at the same time. */
  readonly reader: FolderReader;
}

interface Folder {
  files: Map<string, FileStamp>;
  readonly folders: Set<string>;
  /** Names that the rules leave out; each is asked about once. */
  readonly ignored: Set<string>;
  /** Rules of the folders above, and with those of its own. */
  readonly above: readonly IgnoreFile[];
  readonly ownText: string;
  readonly rules: readonly IgnoreFile[];
}

/** A folder that is to be read, and the rules of those above it. */
interface Place {
  readonly path: string;
  readonly above: readonly IgnoreFile[];
}

/** Files with rules, in the order of their weight. */
const IGNORE_NAMES: readonly string[] = [".gitignore", ".ignore", ".rgignore"];
/** Folders read without a pause. */
const FOLDERS_A_SLICE = 40;
/** Folders that are read at the same time: enough for all who read to have more waiting. */
const FOLDERS_TOGETHER = 256;

/**
 * The files below a folder with their stamps, and those that became different since they were last asked for.
 *
 * Ignored files, links and `.git` are not in it. A folder is read and taken in without a pause where the reader answers
 * at once, so several scans of one index may run at the same time.
 */
export class TreeIndex {
  readonly #options: TreeIndexOptions;
  readonly #folders = new Map<string, Folder>();
  /** What changed files were. Absent before the first scan is over. */
  #changes: Map<string, FileStamp | undefined> | undefined;
  #fileCount = 0;

  constructor(options: TreeIndexOptions) {
    this.#options = options;
  }

  get fileCount(): number {
    return this.#fileCount;
  }

  /** By their paths, "" for the root. */
  get folders(): ReadonlyMap<string, { readonly files: ReadonlyMap<string, FileStamp> }> {
    return this.#folders;
  }

  stampOf(path: string): FileStamp | undefined {
    const { folder, name } = partsOf(path);
    return this.#folders.get(folder)?.files.get(name);
  }

  /** Reads the whole tree. False = it has too many files, and nothing is known of it any more. */
  async scan(options: ScanOptions): Promise<boolean> {
    const isWhole = await this.#scanFrom("", this.#options.outerRules ?? [], options);
    if (!isWhole) this.clear();
    else this.#changes ??= new Map();
    return isWhole;
  }

  /** The same for the first time, by many folders at once. Nothing else may be asked of the index before it is over. */
  async scanFirst({ reader, ...options }: FirstScanOptions): Promise<boolean> {
    const isWhole = await this.#scanTogether(reader, options);
    if (!isWhole) this.clear();
    else this.#changes ??= new Map();
    return isWhole;
  }

  /** Reads what is in doubt, by folder. */
  async update(doubts: ReadonlyMap<string, Doubt>, options: ScanOptions): Promise<boolean> {
    // A folder comes before those in it.
    for (const [path, doubt] of [...doubts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const folder = this.#folders.get(path);
      if (folder === undefined) continue;
      const names = doubt === "all" ? IGNORE_NAMES : [...doubt.keys()];
      if (names.some((name) => IGNORE_NAMES.includes(name))) {
        await this.#scanFrom(path, folder.above, options);
        continue;
      }
      for (const [name, isOther] of doubt === "all" ? [] : doubt) {
        await this.#lookAt(path, folder, { name, isOther }, options);
      }
    }
    return this.#fileCount <= options.maxFiles;
  }

  /** What is different from when it was last taken; `only` takes just those. */
  takeChanges(only?: (change: TreeChange) => boolean): readonly TreeChange[] {
    const taken: TreeChange[] = [];
    for (const [path, before] of this.#changes ?? []) {
      const after = this.stampOf(path);
      const change = { path, before, after };
      if (only !== undefined && !only(change)) continue;
      this.#changes?.delete(path);
      if (before === undefined ? after !== undefined : after === undefined || !isSameStamp(before, after)) {
        taken.push(change);
      }
    }
    return taken;
  }

  clear(): void {
    this.#drop("", { isGone: false });
    this.#changes = undefined;
  }

  async #scanFrom(start: string, above: readonly IgnoreFile[], options: ScanOptions): Promise<boolean> {
    const open: Place[] = [{ path: start, above }];
    let sinceLastPause = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const folder = await this.#read(next, this.#options.reader, options);
      if (this.#fileCount > options.maxFiles) return false;
      addPlaces(open, next.path, folder);
      if (++sinceLastPause % FOLDERS_A_SLICE === 0) await this.#options.pause(options.isPatient ?? false);
    }
    return true;
  }

  #scanTogether(reader: FolderReader, options: ScanOptions): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const open: Place[] = [{ path: "", above: this.#options.outerRules ?? [] }];
      let reading = 0;
      const goOn = () => {
        const isTooLarge = this.#fileCount > options.maxFiles;
        while (!isTooLarge && reading < FOLDERS_TOGETHER) {
          const next = open.pop();
          if (next === undefined) break;
          reading++;
          this.#read(next, reader, options).then((folder) => {
            reading--;
            addPlaces(open, next.path, folder);
            goOn();
          }, reject);
        }
        if (reading === 0) resolve(!isTooLarge);
      };
      goOn();
    });
  }

  /** Undefined = it is not there. */
  async #read(
    { path, above }: Place,
    reader: FolderReader,
    options: ScanOptions,
  ): Promise<Folder | undefined> {
    const { root, folders } = this.#options;
    // Before it is read, so that nothing comes in between.
    if (!this.#folders.has(path)) folders?.added(path);
    const absolute = path === "" ? root : `${root}/${path}`;
    const entries = await reader.entries(absolute);
    if (entries === undefined) {
      this.#drop(path, { isGone: true, found: options.found });
      if (!this.#folders.has(path)) folders?.removed(path);
      return undefined;
    }
    const ownText = await this.#ownText(absolute, entries);
    const known = this.#folders.get(path);
    const isUnderSameRules = known?.above === above && known.ownText === ownText;
    const folder = isUnderSameRules ? known : folderUnder({ path, above, ownText, known });
    this.#folders.set(path, folder);
    const kept = this.#sorted(path, folder, { entries, isUnderSameRules });
    const stamps = await reader.stamps(absolute, kept.files);
    this.#takeIn(path, folder, stamps, options.found);
    for (const name of folder.folders) {
      if (kept.folders.has(name)) continue;
      folder.folders.delete(name);
      this.#drop(pathOf(path, name), { isGone: !folder.ignored.has(name), found: options.found });
    }
    for (const name of kept.folders) folder.folders.add(name);
    return folder;
  }

  /** The files of a folder are those of these stamps. */
  #takeIn(
    path: string,
    folder: Folder,
    stamps: Map<string, FileStamp>,
    found: Set<string> | undefined,
  ): void {
    if (this.#changes === undefined && folder.files.size === 0) {
      // Nobody is told of single files before the first scan is over.
      folder.files = stamps;
      this.#fileCount += stamps.size;
      return;
    }
    for (const [name, stamp] of stamps) this.#set(path, folder, { name, stamp }, found);
    for (const name of folder.files.keys()) {
      if (!stamps.has(name)) this.#forget(path, folder, { name, isGone: !folder.ignored.has(name) }, found);
    }
  }

  async #ownText(folder: string, entries: readonly FolderEntry[]): Promise<string> {
    let text = "";
    for (const ignoreName of IGNORE_NAMES) {
      if (entries.some(({ name, kind }) => name === ignoreName && kind === "file")) {
        text += `${await this.#options.reader.text(`${folder}/${ignoreName}`)}\n`;
      }
    }
    return text;
  }

  /** The names of a folder that belong into the tree. */
  #sorted(
    path: string,
    folder: Folder,
    { entries, isUnderSameRules }: { entries: readonly FolderEntry[]; isUnderSameRules: boolean },
  ): { readonly files: readonly string[]; readonly folders: ReadonlySet<string> } {
    const files: string[] = [];
    const folders = new Set<string>();
    for (const { name, kind } of entries) {
      if (kind === "other") continue;
      const isKnown = isUnderSameRules && (kind === "file" ? folder.files : folder.folders).has(name);
      if (!isKnown && this.#isLeftOut(path, folder, { name, kind })) continue;
      if (kind === "file") files.push(name);
      else folders.add(name);
    }
    return { files, folders };
  }

  #isLeftOut(path: string, folder: Folder, { name, kind }: FolderEntry): boolean {
    if (name === ".git" || folder.ignored.has(name)) return true;
    if (folder.rules.length === 0 || !isIgnored(pathOf(path, name), kind === "folder", folder.rules))
      return false;
    folder.ignored.add(name);
    return true;
  }

  async #lookAt(
    path: string,
    folder: Folder,
    { name, isOther }: { name: string; isOther: boolean },
    options: ScanOptions,
  ): Promise<void> {
    const { root, reader, folders } = this.#options;
    const present = await reader.look(path === "" ? root : `${root}/${path}`, name);
    const place = pathOf(path, name);
    const isKnown = folder.files.has(name) || folder.folders.has(name);
    if (present === undefined) folder.ignored.delete(name);
    const kind =
      present === undefined || (!isKnown && this.#isLeftOut(path, folder, { name, kind: present.kind }))
        ? "other"
        : present.kind;
    if (kind !== "file" && folder.files.has(name)) this.#forget(path, folder, { name, isGone: true });
    if (kind !== "folder" && folder.folders.delete(name)) this.#drop(place, { isGone: true });
    if (kind === "file" && present !== undefined)
      this.#set(path, folder, { name, stamp: present.stamp }, undefined);
    if (kind !== "folder" || (folder.folders.has(name) && !isOther)) return;
    folder.folders.add(name);
    // Another folder may stand there by now: what was told of the old one is told no more.
    for (const one of [...this.#below(place)]) {
      folders?.removed(one);
      folders?.added(one);
    }
    await this.#scanFrom(place, folder.rules, options);
  }

  #set(
    path: string,
    folder: Folder,
    { name, stamp }: { name: string; stamp: FileStamp },
    found: Set<string> | undefined,
  ): void {
    const before = folder.files.get(name);
    if (before !== undefined && isSameStamp(before, stamp)) return;
    if (before === undefined) this.#fileCount++;
    folder.files.set(name, stamp);
    this.#options.onStamp?.(pathOf(path, name));
    this.#note(pathOf(path, name), before, found);
  }

  #forget(
    path: string,
    folder: Folder,
    { name, isGone }: { name: string; isGone: boolean },
    found?: Set<string>,
  ): void {
    const before = folder.files.get(name);
    if (!folder.files.delete(name)) return;
    this.#fileCount--;
    // What is ignored from now on is not gone.
    if (isGone) this.#note(pathOf(path, name), before, found);
  }

  /** Takes a folder with all that is in it out of the tree. */
  #drop(top: string, { isGone, found }: { isGone: boolean; found?: Set<string> | undefined }): void {
    for (const path of [...this.#below(top)]) {
      const folder = this.#folders.get(path);
      if (folder === undefined) continue;
      for (const name of folder.files.keys()) this.#forget(path, folder, { name, isGone }, found);
      this.#folders.delete(path);
      this.#options.folders?.removed(path);
    }
  }

  *#below(top: string): Generator<string, void, undefined> {
    const folder = this.#folders.get(top);
    if (folder === undefined) return;
    yield top;
    for (const name of folder.folders) yield* this.#below(pathOf(top, name));
  }

  #note(path: string, before: FileStamp | undefined, found: Set<string> | undefined): void {
    found?.add(path);
    if (this.#changes !== undefined && !this.#changes.has(path)) this.#changes.set(path, before);
  }
}

function folderUnder(options: {
  readonly path: string;
  readonly above: readonly IgnoreFile[];
  readonly ownText: string;
  readonly known: Folder | undefined;
}): Folder {
  const { path, above, ownText, known } = options;
  const own = parseIgnoreFile(ownText, path);
  const rules = own.rules.length === 0 ? above : [...above, own];
  const { files, folders } = known ?? { files: new Map(), folders: new Set<string>() };
  return { files, folders, ignored: new Set(), above, ownText, rules };
}

function addPlaces(open: Place[], path: string, folder: Folder | undefined): void {
  for (const name of folder?.folders ?? []) {
    open.push({ path: pathOf(path, name), above: folder?.rules ?? [] });
  }
}

function pathOf(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The folder of a path ("" for the root) and its name there. */
function partsOf(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf("/");
  return at < 0 ? { folder: "", name: path } : { folder: path.slice(0, at), name: path.slice(at + 1) };
}
