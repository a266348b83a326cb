/** A tracked file as git last saw it clean: its time and size then, and the object that holds its content. */
export interface TrackedFile {
  /** In hexadecimal. */
  readonly objectId: string;
  /** Unix milliseconds. */
  readonly modifiedAtMs: number;
  readonly sizeBytes: number;
}

/** Where the parts of an entry lie, from its start. */
const SECONDS_AT = 8;
const NANOSECONDS_AT = 12;
const SIZE_AT = 36;
const ID_AT = 40;
const ID_BYTES = 20;
const NOT_ASCII = /[\x80-\xff]/;
/** Entries compared at once. */
const RUN_ENTRIES = 32;

/** Where each entry and its name lie; the three lists have the same length. */
export interface GitIndexLayout {
  readonly index: Buffer;
  readonly entryStarts: Uint32Array;
  /** What names are slices of: the index itself where it has them whole. */
  readonly names: Buffer;
  readonly nameStarts: Uint32Array;
  readonly nameEnds: Uint32Array;
}

/**
 * The tracked files of a git index, in its order: by the bytes of their paths from the root of the repository.
 *
 * It is read where it lies: an entry becomes an object when somebody asks for it, so that one of a large repository costs
 * a few milliseconds each time that git writes it anew.
 */
export class GitIndex {
  readonly #layout: GitIndexLayout;
  readonly #view: DataView;

  constructor(layout: GitIndexLayout) {
    this.#layout = layout;
    const { index } = layout;
    this.#view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  }

  get size(): number {
    return this.#layout.entryStarts.length;
  }

  pathAt(entry: number): string {
    const { names, nameStarts, nameEnds } = this.#layout;
    // Without an encoding: for one that is named, Node looks up how to read it, which takes longer than to read it.
    return names.toString(undefined, nameStarts[entry], nameEnds[entry]);
  }

  /** The paths of all entries, in their order; quicker than one by one. */
  *paths(): Generator<string, void, undefined> {
    const { names, nameStarts, nameEnds } = this.#layout;
    const text = names.toString("latin1");
    for (let entry = 0; entry < this.size; entry++) {
      const path = text.slice(nameStarts[entry], nameEnds[entry]);
      yield NOT_ASCII.test(path) ? this.pathAt(entry) : path;
    }
  }

  fileAt(entry: number): TrackedFile {
    const start = this.#startOf(entry);
    const seconds = this.#view.getUint32(start + SECONDS_AT);
    const nanoseconds = this.#view.getUint32(start + NANOSECONDS_AT);
    return {
      objectId: this.#layout.index.toString("hex", start + ID_AT, start + ID_AT + ID_BYTES),
      modifiedAtMs: seconds * 1000 + nanoseconds / 1e6,
      sizeBytes: this.#view.getUint32(start + SIZE_AT),
    };
  }

  /** Whether an entry has this size, and this time to within `toleranceMs`. */
  isAt(
    entry: number,
    { sizeBytes, modifiedAtMs }: Omit<TrackedFile, "objectId">,
    toleranceMs: number,
  ): boolean {
    const start = this.#startOf(entry);
    if (this.#view.getUint32(start + SIZE_AT) !== sizeBytes) return false;
    const seconds = this.#view.getUint32(start + SECONDS_AT);
    const nanoseconds = this.#view.getUint32(start + NANOSECONDS_AT);
    return Math.abs(seconds * 1000 + nanoseconds / 1e6 - modifiedAtMs) < toleranceMs;
  }

  /** The number of the entry of a path. */
  entryOf(path: string): number | undefined {
    const name = Buffer.from(path);
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compareName(middle, name, 0, name.length);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** Entries whose object this index names for no such path any more, by path, taken from an `older` one. */
  *replacedIn(older: GitIndex): Generator<readonly [path: string, file: TrackedFile], void, undefined> {
    const { names, nameStarts, nameEnds } = older.#layout;
    for (let [theirs, ours] = [0, 0]; theirs < older.size; ) {
      const start = nameStarts[theirs] ?? 0;
      const order = ours < this.size ? this.#compareName(ours, names, start, nameEnds[theirs] ?? start) : 1;
      const same = order === 0 ? this.#sameRun(ours, older, theirs) : 0;
      if (same > 0) {
        ours += same;
        theirs += same;
        continue;
      }
      if (order > 0 || (order === 0 && !this.#hasSameObject(ours, older, theirs))) {
        yield [older.pathAt(theirs), older.fileAt(theirs)];
      }
      if (order <= 0) ours++;
      if (order >= 0) theirs++;
    }
  }

  #startOf(entry: number): number {
    const start = this.#layout.entryStarts[entry];
    if (start === undefined) throw new RangeError(`The index has no entry ${entry}.`);
    return start;
  }

  /** Negative = the entry comes before the name. */
  #compareName(entry: number, name: Buffer, start: number, end: number): number {
    const { names, nameStarts, nameEnds } = this.#layout;
    return names.compare(name, start, end, nameStarts[entry], nameEnds[entry]);
  }

  /** How many entries, from two of the same name on, are the same bytes in both, as far as that is quickly seen. */
  #sameRun(entry: number, other: GitIndex, otherEntry: number): number {
    const [from, to] = [this.#layout.entryStarts[entry], this.#layout.entryStarts[entry + RUN_ENTRIES]];
    const start = other.#layout.entryStarts[otherEntry];
    const end = other.#layout.entryStarts[otherEntry + RUN_ENTRIES];
    if (from === undefined || to === undefined || start === undefined || end === undefined) return 0;
    const { index } = other.#layout;
    return this.#layout.index.compare(index, start, end, from, to) === 0 ? RUN_ENTRIES : 0;
  }

  #hasSameObject(entry: number, other: GitIndex, otherEntry: number): boolean {
    const start = this.#startOf(entry) + ID_AT;
    const otherStart = other.#startOf(otherEntry) + ID_AT;
    const { index } = other.#layout;
    return (
      this.#layout.index.compare(index, otherStart, otherStart + ID_BYTES, start, start + ID_BYTES) === 0
    );
  }
}
