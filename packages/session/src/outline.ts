import type { SessionDiagnostic } from "./diagnostic.ts";
import { type AnyEntry, isEntry } from "./entry.ts";
import type { SessionStorage } from "./storage.ts";
import { type EntryPlace, pagesOf } from "./storage-pages.ts";
import { EntryTree, type LinkedEntry, linkOf } from "./tree.ts";

/** What makes the tree of an entry, and a position at or before it in the store. */
export interface OutlineEntry extends LinkedEntry, EntryPlace {}

/**
 * The tree of a whole session without what its entries hold: ids, parents, places, labels, name, children. Some 150
 * bytes an entry; built in one pass that keeps a page at a time.
 */
export class Outline {
  readonly tree = new EntryTree<OutlineEntry>();
  readonly #types = new Map<string, string>();
  readonly #diagnostics: SessionDiagnostic[] = [];
  #end = 0;

  /** Where the store ended when it was last read. */
  get end(): number {
    return this.#end;
  }

  get diagnostics(): readonly SessionDiagnostic[] {
    return [...this.#diagnostics, ...this.tree.diagnostics];
  }

  /** Takes what the store holds beyond `end`; with a limit, no page that reaches beyond it. */
  async catchUp(storage: SessionStorage, limit = Number.POSITIVE_INFINITY): Promise<void> {
    for await (const { items, end, diagnostics } of pagesOf(storage, this.#end, { isOutline: true })) {
      if (end > limit) return;
      for (const item of items) {
        if (item.kind === "entry") this.#add(item.entry, item.at);
        else this.tree.addDamage(item.damage);
      }
      this.#diagnostics.push(...diagnostics);
      this.#end = end;
    }
  }

  /** Takes entries that were appended just now. */
  add(entries: readonly AnyEntry[], end: number): void {
    for (const entry of entries) this.#add(entry, this.#end);
    this.#end = end;
  }

  #add(entry: AnyEntry, at: number): void {
    const parentId = this.#shared(entry.parentId);
    const type = this.#types.get(entry.type) ?? entry.type;
    this.#types.set(type, type);
    const links = { type, id: entry.id, parentId, at };
    this.tree.add(hasMore(entry) ? { ...links, ...more(entry) } : links);
  }

  /** Strings that are there already are shared: an id is kept once, however many name it. Most name the position. */
  #shared(id: string | null): string | null {
    if (id === null) return null;
    const { position } = this.tree;
    return id === position ? position : (this.tree.get(id)?.id ?? id);
  }
}

function hasMore(entry: AnyEntry): boolean {
  return isEntry(entry, "leaf") || isEntry(entry, "label") || isEntry(entry, "session_info");
}

/** What the tree needs of the kinds that move it or name something. */
function more(entry: AnyEntry): object {
  if (isEntry(entry, "leaf")) return { targetId: linkOf(entry) };
  if (isEntry(entry, "label")) return { targetId: entry.targetId, label: entry.label };
  return isEntry(entry, "session_info") ? { name: entry.name } : {};
}
