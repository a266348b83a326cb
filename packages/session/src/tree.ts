import { BrokenLinks } from "./broken-links.ts";
import { ChildLists, NO_ROW } from "./child-lists.ts";
import type { UnreadableLine } from "./codec.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import {
  type AnyEntry,
  ENTRY_RULES,
  type EntryRule,
  type EntryType,
  isEntry,
  type SessionEntry,
} from "./entry.ts";
import { PathMarks } from "./path-marks.ts";

/** The part of an entry that makes the tree. */
export interface LinkedEntry {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
}

/** An entry with its children. Entries that never are a position (labels, names, usage, leaf) are left out. */
export interface SessionTreeNode<Entry extends LinkedEntry = AnyEntry> {
  readonly entry: Entry;
  readonly label: string | undefined;
  readonly children: readonly SessionTreeNode<Entry>[];
}

/** Rules of a kind; unknown kinds are part of the chain and give no context. */
export function ruleOf(type: string): EntryRule {
  return Object.hasOwn(ENTRY_RULES, type)
    ? ENTRY_RULES[type as EntryType]
    : { reachesModel: false, moves: "self" };
}

/** True for kinds that never become the position: readers walk through them, our writer never uses them as a parent. */
export function isMetadata(entry: LinkedEntry): boolean {
  const { moves } = ruleOf(entry.type);
  return moves === "never" || moves === "target";
}

/**
 * The tree of a session in memory, fed in the order of writing: index, position, labels, name, and what was wrong.
 *
 * Pure state without input or output. Survives cycles, duplicate ids and missing parents: a link that leads nowhere or
 * in a circle is replaced by a bridge to the position that was current where it stands. Entries may be whole, or only
 * what makes the tree.
 */
export class EntryTree<Entry extends LinkedEntry = AnyEntry> {
  /** True when entries before the first one added exist elsewhere: a missing parent is then not a fault. */
  readonly isPartial: boolean;
  readonly #entries: Entry[] = [];
  /** Where an entry stands in `#entries`. */
  readonly #rows = new Map<string, number>();
  readonly #labels = new Map<string, string>();
  readonly #links = new BrokenLinks<Entry>();
  readonly #bridges: ReadonlyMap<string, string | null> | undefined;
  readonly #diagnostics: SessionDiagnostic[] = [];
  #position: string | null = null;
  #name: string | undefined;
  #isNameKnown: boolean;
  #children: ChildLists | undefined;
  #marks: PathMarks | undefined;

  /** `bridges`: parents of entries whose link is broken, for a part of a session whose whole is known. */
  constructor(
    options: { readonly isPartial?: boolean; readonly bridges?: ReadonlyMap<string, string | null> } = {},
  ) {
    const { isPartial = false, bridges } = options;
    this.isPartial = isPartial;
    this.#bridges = bridges;
    this.#isNameKnown = !isPartial;
  }

  /** In the order of writing, metadata included. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The entry that the next one hangs on; null before the first. */
  get position(): string | null {
    return this.#position;
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** False for the end of a session that holds neither a name entry nor a checkpoint, which carries the name. */
  get isNameKnown(): boolean {
    return this.#isNameKnown;
  }

  get diagnostics(): readonly SessionDiagnostic[] {
    if (this.isPartial) return this.#diagnostics;
    const broken = this.#links.entries.flatMap((entry) => this.#brokenLink(entry) ?? []);
    return [...this.#diagnostics, ...broken];
  }

  get(id: string): Entry | undefined {
    const row = this.#rows.get(id);
    return row === undefined ? undefined : this.#entries[row];
  }

  label(id: string): string | undefined {
    return this.#labels.get(id);
  }

  /** Takes the next entry. One whose id is taken is reported and otherwise ignored. */
  add(entry: Entry): void {
    if (this.#rows.has(entry.id)) {
      this.#report(
        "duplicate_id",
        `The id ${entry.id} is used again by a later ${entry.type} entry.`,
        entry.id,
      );
      return;
    }
    const link = linkOf(entry);
    if (link !== null && link !== this.#position && !this.#rows.has(link)) {
      this.#links.add(entry, link, this.#position, (id) => this.#rows.has(id));
    }
    this.#links.changed();
    this.#rows.set(entry.id, this.#entries.length);
    this.#entries.push(entry);
    this.#children = undefined;
    if (entry.type !== "message") this.#applyGlobals(entry);
    this.#move(entry);
  }

  /** Takes note of bytes that are no entry, so that a missing parent can be bridged over them. */
  addDamage(damage: UnreadableLine): void {
    this.#links.addDamage(damage, this.#position);
  }

  /** Root → `fromId`, metadata that lies on the way included. */
  path(fromId: string | null): readonly Entry[] {
    const path: Entry[] = [];
    for (let id = fromId; id !== null; ) {
      const entry = this.get(id);
      if (entry === undefined) break;
      path.push(entry);
      id = this.parentOf(entry);
    }
    return path.reverse();
  }

  /** The id of the entry before this one: a leaf's target, the bridge over a broken link, else its parent. */
  parentOf(entry: Entry): string | null {
    const bridge = this.#bridges?.get(entry.id);
    if (bridge !== undefined) return bridge;
    const link = linkOf(entry);
    if (link === null || !this.#links.has(entry.id)) return link;
    if (this.#rows.has(link) && !this.#isCircular(entry)) return link;
    return this.isPartial ? null : this.#links.bridge(link);
  }

  /** True where the link to the entry before is broken, so that history before it may be missing. */
  hasGapBefore(entry: Entry): boolean {
    return entry.type !== "leaf" && !this.isPartial && this.#brokenLink(entry) !== undefined;
  }

  /** True for what lies between the position and its root. The first call costs the path, later ones what is new. */
  isOnPath(id: string): boolean {
    const row = this.#rowOf(id);
    if (row === NO_ROW) return false;
    this.#marks ??= new PathMarks();
    this.#marks.moveTo(this.#rowOf(this.#position), this.#entries.length, (at) => this.#parentRow(at));
    return this.#marks.has(row);
  }

  /** Most entries hang on the one before, which is at hand. */
  #parentRow(row: number): number {
    const entry = this.#entries[row];
    if (entry === undefined) return NO_ROW;
    const parentId = this.parentOf(entry);
    return this.#entries[row - 1]?.id === parentId ? row - 1 : this.#rowOf(parentId);
  }

  /** The nearest entry, from this one towards the root, that can be a position. */
  anchor(id: string | null): string | null {
    for (let at = id; at !== null; ) {
      const entry = this.get(at);
      if (entry === undefined) return null;
      if (!isMetadata(entry)) return at;
      at = this.parentOf(entry);
    }
    return null;
  }

  /** Entries whose nearest non-metadata ancestor is `id`, in the order of writing; null = the roots. */
  children(id: string | null): readonly Entry[] {
    if (id !== null && !this.#rows.has(id)) return [];
    this.#children ??= this.#childLists();
    return this.#children.of(this.#rowOf(id)).flatMap((row) => this.#entries[row] ?? []);
  }

  /** The whole tree, roots in the order of writing. */
  nodes(): readonly SessionTreeNode<Entry>[] {
    const roots: SessionTreeNode<Entry>[] = [];
    const visible = this.#visible();
    const children = new Map(visible.map((entry) => [entry.id, [] as SessionTreeNode<Entry>[]]));
    for (const entry of visible) {
      const parent = this.anchor(this.parentOf(entry));
      const siblings = parent === null ? roots : (children.get(parent) ?? roots);
      siblings.push({ entry, label: this.#labels.get(entry.id), children: children.get(entry.id) ?? [] });
    }
    return roots;
  }

  #rowOf(id: string | null): number {
    return id === null ? NO_ROW : (this.#rows.get(id) ?? NO_ROW);
  }

  #childLists(): ChildLists {
    const lists = new ChildLists(this.#entries.length);
    for (const [row, entry] of this.#entries.entries()) {
      if (!isMetadata(entry)) lists.add(this.#rowOf(this.anchor(this.parentOf(entry))), row);
    }
    return lists;
  }

  #visible(): readonly Entry[] {
    return this.#entries.filter((entry) => !isMetadata(entry));
  }

  #isCircular(entry: Entry): boolean {
    return this.#links.isCircular(entry, (id) => {
      const at = this.get(id);
      return at === undefined ? null : linkOf(at);
    });
  }

  #brokenLink(entry: Entry): SessionDiagnostic | undefined {
    const link = linkOf(entry);
    if (link === null || entry.type === "leaf") return undefined;
    const { id } = entry;
    if (!this.#rows.has(link)) {
      const message = `The parent ${link} of entry ${id} is missing; the nearest entry before takes its place.`;
      return { code: "missing_parent", message, entryId: id };
    }
    if (!this.#isCircular(entry)) return undefined;
    return {
      code: "cycle",
      message: `The parents of entry ${id} form a circle, which is cut here.`,
      entryId: id,
    };
  }

  #applyGlobals(entry: Entry): void {
    const known = asKnown(entry);
    if (isEntry(known, "label")) this.#setLabel(known.targetId, known.label);
    else if (isEntry(known, "session_info")) this.#setName(known.name);
    // At the end of a session the name may be older than what was read: the checkpoint carries it.
    else if (this.isPartial && isEntry(known, "compaction") && known.checkpoint !== undefined) {
      this.#setName(known.checkpoint.sessionName);
    }
  }

  #setLabel(targetId: string, label: string | undefined): void {
    if (label === undefined || label === "") this.#labels.delete(targetId);
    else this.#labels.set(targetId, label);
  }

  #setName(name: unknown): void {
    this.#name = cleanName(name);
    this.#isNameKnown = true;
  }

  #move(entry: Entry): void {
    const { moves } = ruleOf(entry.type);
    if (moves === "self") this.#position = entry.id;
    else if (moves === "target") this.#moveToTarget(linkOf(entry), entry.id);
    else if (moves === "if_current" && this.anchor(this.parentOf(entry)) === this.#position) {
      this.#position = entry.id;
    }
  }

  #moveToTarget(targetId: string | null, entryId: string): void {
    if (targetId !== null && !this.#rows.has(targetId)) {
      this.#report("unknown_target", `Navigation to the unknown entry ${targetId} was ignored.`, entryId);
      return;
    }
    this.#position = this.anchor(targetId);
  }

  #report(code: SessionDiagnostic["code"], message: string, entryId: string): void {
    this.#diagnostics.push({ code, message, entryId });
  }
}

/** What an entry hangs on: a leaf is read by its target, whatever its parent says. */
export function linkOf(entry: LinkedEntry): string | null {
  return entry.type === "leaf" ? (entry as SessionEntry<"leaf">).targetId : entry.parentId;
}

/** What makes the tree is there whether the entry is whole or not. */
function asKnown(entry: LinkedEntry): AnyEntry {
  return entry as AnyEntry;
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
