import type { UnreadableLine } from "./codec.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import { type AnyEntry, ENTRY_RULES, type EntryRule, type EntryType, isEntry } from "./entry.ts";

/** An entry with its children. Entries that never are a position (labels, names, usage, leaf) are left out. */
export interface SessionTreeNode {
  readonly entry: AnyEntry;
  readonly label: string | undefined;
  readonly children: readonly SessionTreeNode[];
}

/** Rules of a kind; unknown kinds are part of the chain and give no context. */
export function ruleOf(type: string): EntryRule {
  return Object.hasOwn(ENTRY_RULES, type)
    ? ENTRY_RULES[type as EntryType]
    : { reachesModel: false, moves: "self" };
}

/** True for kinds that never become the position: readers walk through them, our writer never uses them as a parent. */
export function isMetadata(entry: AnyEntry): boolean {
  const { moves } = ruleOf(entry.type);
  return moves === "never" || moves === "target";
}

/**
 * The tree of a session in memory, fed in the order of writing: index, position, labels, name, and what was wrong.
 *
 * Pure state without input or output. Survives cycles, duplicate ids, missing parents.
 */
export class EntryTree {
  readonly #entries: AnyEntry[] = [];
  readonly #byId = new Map<string, AnyEntry>();
  readonly #labels = new Map<string, string>();
  /** Where an entry with a missing parent hangs instead, by the missing id. */
  readonly #bridges = new Map<string, string | null>();
  readonly #lostParents = new Map<string, string | null>();
  readonly #diagnostics: SessionDiagnostic[] = [];
  /** The position before an unreadable line that no bridge has crossed yet. */
  #openGap: { readonly position: string | null } | undefined;
  #position: string | null = null;
  #name: string | undefined;
  #children: Map<string | null, AnyEntry[]> | undefined;

  /** In the order of writing, metadata included. */
  get entries(): readonly AnyEntry[] {
    return this.#entries;
  }

  /** The entry that the next one hangs on; null before the first. */
  get position(): string | null {
    return this.#position;
  }

  get name(): string | undefined {
    return this.#name;
  }

  get diagnostics(): readonly SessionDiagnostic[] {
    return this.#diagnostics;
  }

  get(id: string): AnyEntry | undefined {
    return this.#byId.get(id);
  }

  label(id: string): string | undefined {
    return this.#labels.get(id);
  }

  /** Takes the next entry. One whose id is taken is reported and otherwise ignored. */
  add(entry: AnyEntry): void {
    if (this.#byId.has(entry.id)) {
      this.#report(
        "duplicate_id",
        `The id ${entry.id} is used again by a later ${entry.type} entry.`,
        entry.id,
      );
      return;
    }
    if (entry.parentId !== null && !this.#byId.has(entry.parentId)) this.#bridge(entry.parentId);
    this.#byId.set(entry.id, entry);
    this.#entries.push(entry);
    this.#children = undefined;
    this.#applyGlobals(entry);
    this.#move(entry);
  }

  /** Takes note of bytes that are no entry, so that a missing parent can be bridged over them. */
  addDamage(damage: UnreadableLine): void {
    this.#openGap ??= { position: this.#position };
    if (damage.id !== undefined && damage.parentId !== undefined && !this.#lostParents.has(damage.id)) {
      this.#lostParents.set(damage.id, damage.parentId);
    }
  }

  /** Root → `fromId`, metadata that lies on the way included. Ends with an error-free partial path on a cycle. */
  path(fromId: string | null): readonly AnyEntry[] {
    const path: AnyEntry[] = [];
    const seen = new Set<string>();
    let id = fromId;
    while (id !== null) {
      if (seen.has(id)) {
        this.#reportOnce("cycle", `The parents of entry ${id} form a circle; the history starts there.`, id);
        break;
      }
      seen.add(id);
      const entry = this.#byId.get(id);
      if (entry === undefined) break;
      path.push(entry);
      id = this.parentOf(entry);
    }
    return path.reverse();
  }

  /** The id of the entry before this one: a leaf's target, the bridge over a missing parent, else its parent. */
  parentOf(entry: AnyEntry): string | null {
    const parentId = isEntry(entry, "leaf") ? entry.targetId : entry.parentId;
    if (parentId === null || this.#byId.has(parentId)) return parentId;
    return this.#bridges.get(parentId) ?? null;
  }

  /** True where the entry's own parent is missing, so that history before it may be too. */
  hasGapBefore(entry: AnyEntry): boolean {
    return !isEntry(entry, "leaf") && entry.parentId !== null && !this.#byId.has(entry.parentId);
  }

  /** The nearest entry, from this one towards the root, that can be a position. */
  anchor(id: string | null): string | null {
    const seen = new Set<string>();
    let at = id;
    while (at !== null && !seen.has(at)) {
      seen.add(at);
      const entry = this.#byId.get(at);
      if (entry === undefined) return null;
      if (!isMetadata(entry)) return at;
      at = this.parentOf(entry);
    }
    return null;
  }

  /** Entries whose nearest non-metadata ancestor is `id`, in the order of writing; null = the roots. */
  children(id: string | null): readonly AnyEntry[] {
    this.#children ??= this.#indexChildren();
    return this.#children.get(id) ?? [];
  }

  /** The whole tree, roots in the order of writing. */
  nodes(): readonly SessionTreeNode[] {
    const children = new Map<string | null, SessionTreeNode[]>([[null, []]]);
    const visible = this.#entries.filter((entry) => !isMetadata(entry));
    for (const entry of visible) children.set(entry.id, []);
    for (const entry of visible) {
      const node = { entry, label: this.#labels.get(entry.id), children: children.get(entry.id) ?? [] };
      (children.get(this.#treeParent(entry)) ?? children.get(null))?.push(node);
    }
    return children.get(null) ?? [];
  }

  #indexChildren(): Map<string | null, AnyEntry[]> {
    const index = new Map<string | null, AnyEntry[]>();
    for (const entry of this.#entries) {
      if (isMetadata(entry)) continue;
      const parent = this.#treeParent(entry);
      const list = index.get(parent);
      if (list === undefined) index.set(parent, [entry]);
      else list.push(entry);
    }
    return index;
  }

  /** Like `anchor(parentOf)`, but an entry in a circle is a root: nothing may hang on itself. */
  #treeParent(entry: AnyEntry): string | null {
    const parent = this.anchor(this.parentOf(entry));
    return parent === entry.id ? null : parent;
  }

  #bridge(missingId: string): void {
    if (this.#bridges.has(missingId)) return;
    const gap = this.#openGap ?? { position: this.#position };
    this.#bridges.set(missingId, this.#knownAncestor(missingId) ?? gap.position);
    this.#openGap = undefined;
  }

  /** The nearest readable ancestor of an unreadable entry whose own parent could still be made out. */
  #knownAncestor(missingId: string): string | undefined {
    const seen = new Set<string>();
    let id: string | null | undefined = missingId;
    while (id !== null && id !== undefined && !seen.has(id)) {
      if (this.#byId.has(id)) return id;
      seen.add(id);
      id = this.#lostParents.get(id);
    }
    return undefined;
  }

  #applyGlobals(entry: AnyEntry): void {
    if (isEntry(entry, "label")) {
      if (entry.label === undefined || entry.label === "") this.#labels.delete(entry.targetId);
      else this.#labels.set(entry.targetId, entry.label);
    }
    if (isEntry(entry, "session_info")) this.#name = cleanName(entry.name);
  }

  #move(entry: AnyEntry): void {
    const { moves } = ruleOf(entry.type);
    if (moves === "self") this.#position = entry.id;
    else if (isEntry(entry, "leaf")) this.#moveToTarget(entry.targetId, entry.id);
    else if (moves === "if_current" && this.anchor(this.parentOf(entry)) === this.#position) {
      this.#position = entry.id;
    }
  }

  #moveToTarget(targetId: string | null, entryId: string): void {
    if (targetId !== null && !this.#byId.has(targetId)) {
      this.#report("unknown_target", `Navigation to the unknown entry ${targetId} was ignored.`, entryId);
      return;
    }
    this.#position = this.anchor(targetId);
  }

  #report(code: SessionDiagnostic["code"], message: string, entryId: string): void {
    this.#diagnostics.push({ code, message, entryId });
  }

  #reportOnce(code: SessionDiagnostic["code"], message: string, entryId: string): void {
    const known = this.#diagnostics.some((d) => d.code === code && d.entryId === entryId);
    if (!known) this.#report(code, message, entryId);
  }
}

/** A name as one trimmed line without control or direction characters; undefined when nothing is left. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  const line = name
    .replaceAll(/[\r\n\t]+/g, " ")
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
  return line === "" ? undefined : line;
}
