import type { SessionDiagnostic } from "./diagnostic.ts";
import type { AnyEntry } from "./entry.ts";
import type { StageTree } from "./entry-stage.ts";
import { Outline } from "./outline.ts";
import type { SessionStorage } from "./storage.ts";
import { readEntries } from "./storage-pages.ts";
import { type EntryTree, type LinkedEntry, linkOf } from "./tree.ts";
import { isContextComplete, type LoadedTree, loadPosition, loadTail } from "./tree-loader.ts";

/**
 * What is in memory of one session: the entries that the context needs (all of a small session), and, once something
 * asked for more, the outline of everything.
 */
export class SessionTrees {
  readonly #storage: SessionStorage;
  #loaded: LoadedTree;
  #outline: Outline | undefined;
  #isStale = false;

  private constructor(storage: SessionStorage, loaded: LoadedTree, outline: Outline | undefined) {
    this.#storage = storage;
    this.#loaded = loaded;
    this.#outline = outline;
  }

  static async open(storage: SessionStorage): Promise<SessionTrees> {
    const tail = await loadTail(storage);
    if (tail !== undefined) return new SessionTrees(storage, tail, undefined);
    const outline = new Outline();
    await outline.catchUp(storage);
    return new SessionTrees(storage, await loadPosition(storage, outline), outline);
  }

  /** The entries that the context needs; another tree after `refresh` where the position went elsewhere. */
  get context(): EntryTree {
    return this.#loaded.tree;
  }

  /** The tree of everything, if it is in memory: of whole entries or of their outlines. */
  get whole(): EntryTree<LinkedEntry> | undefined {
    return this.#loaded.tree.isPartial ? this.#outline?.tree : this.#loaded.tree;
  }

  get stage(): StageTree {
    return this.whole ?? this.#loaded.tree;
  }

  get position(): string | null {
    return this.stage.position;
  }

  /** Where the storage ends. */
  get end(): number {
    return this.#loaded.end;
  }

  /** True when the context needs entries that are not in memory: call `refresh`. */
  get isStale(): boolean {
    return this.#isStale;
  }

  get diagnostics(): readonly SessionDiagnostic[] {
    if (this.#loaded.tree.isPartial && this.#outline !== undefined) return this.#outline.diagnostics;
    return [...this.#loaded.diagnostics, ...this.#loaded.tree.diagnostics];
  }

  hasGapBefore(entry: AnyEntry): boolean {
    const outline = this.#loaded.tree.isPartial ? this.#outline?.tree.get(entry.id) : undefined;
    if (outline === undefined) return this.#loaded.tree.hasGapBefore(entry);
    return this.#outline?.tree.hasGapBefore(outline) ?? false;
  }

  /** Entries of the whole tree with what they hold, as they were written. */
  async read(entries: readonly LinkedEntry[]): Promise<readonly AnyEntry[]> {
    if (!this.#loaded.tree.isPartial) return entries as readonly AnyEntry[];
    const places = entries.flatMap(({ id }) => this.#outline?.tree.get(id) ?? []);
    return readEntries(this.#storage, places);
  }

  /** Reads what has been written so far for an outline, while writes may go on; `adopt` takes it. */
  async scan(): Promise<Outline> {
    const outline = new Outline();
    await outline.catchUp(this.#storage, this.end);
    return outline;
  }

  /** Makes the whole tree available; no write may be under way. */
  async adopt(outline = new Outline()): Promise<void> {
    if (this.whole !== undefined) return;
    await outline.catchUp(this.#storage);
    this.#outline = outline;
  }

  /** Takes entries that were appended. */
  add(entries: readonly AnyEntry[], end: number): void {
    const { tree } = this.#loaded;
    let needsLook = false;
    for (const entry of entries) {
      const link = linkOf(entry);
      if (tree.isPartial && link !== null && tree.get(link) === undefined) this.#isStale = true;
      // A branch may start at an entry that is here while what leads to it is not.
      needsLook ||= link !== tree.position || mayNeedMore(entry);
      tree.add(entry);
    }
    this.#outline?.add(entries, end);
    this.#loaded = { ...this.#loaded, end };
    if (tree.isPartial && needsLook && !isContextComplete(tree)) this.#isStale = true;
  }

  /** Reads what the context needs now; no write may be under way. */
  async refresh(): Promise<void> {
    if (!this.#isStale) return;
    await this.adopt();
    if (this.#outline !== undefined) this.#loaded = await loadPosition(this.#storage, this.#outline);
    this.#isStale = false;
  }
}

/** A compaction may keep what is not here; an edit may undo the one that kept the context short; a move may go before it. */
function mayNeedMore({ type }: AnyEntry): boolean {
  return type === "compaction" || type === "context_edit" || type === "leaf";
}
