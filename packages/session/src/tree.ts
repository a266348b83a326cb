import { BrokenLinks } from "./broken-links.ts";
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
 * Pure state without input or output. Survives cycles, duplicate ids and missing parents: a link that leads nowhere or
 * in a circle is replaced by a bridge to the position that was current where it stands.
 */
export class EntryTree {
  /** True when entries before the first one added exist elsewhere: a missing parent is then not a fault. */
  readonly isPartial: boolean;
  readonly #entries: AnyEntry[] = [];
  readonly #byId = new Map<string, AnyEntry>();
  readonly #labels = new Map<string, string>();
  readonly #links = new BrokenLinks();
  readonly #diagnostics: SessionDiagnostic[] = [];
  #position: string | null = null;
  #name: string | undefined;
  #isNameKnown: boolean;
  #children: ReadonlyMap<string | null, readonly AnyEntry[]> | undefined;

  constructor({ isPartial = false }: { readonly isPartial?: boolean } = {}) {
    this.isPartial = isPartial;
    this.#isNameKnown = !isPartial;
  }

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

  /** False for the end of a session that holds neither a name entry nor a checkpoint, which carries the name. */
  get isNameKnown(): boolean {
    return this.#isNameKnown;
  }

  get diagnostics(): readonly SessionDiagnostic[] {
    if (this.isPartial) return this.#diagnostics;
    const broken = this.#links.entries.flatMap((entry) => this.#brokenLink(entry) ?? []);
    return [...this.#diagnostics, ...broken];
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
    const link = linkOf(entry);
    if (link !== null && !this.#byId.has(link)) {
      this.#links.add(entry, link, this.#position, (id) => this.#byId.has(id));
    }
    this.#links.changed();
    this.#byId.set(entry.id, entry);
    this.#entries.push(entry);
    this.#children = undefined;
    this.#applyGlobals(entry);
    this.#move(entry);
  }

  /** Takes note of bytes that are no entry, so that a missing parent can be bridged over them. */
  addDamage(damage: UnreadableLine): void {
    this.#links.addDamage(damage, this.#position);
  }

  /** Root → `fromId`, metadata that lies on the way included. */
  path(fromId: string | null): readonly AnyEntry[] {
    const path: AnyEntry[] = [];
    for (let id = fromId; id !== null; ) {
      const entry = this.#byId.get(id);
      if (entry === undefined) break;
      path.push(entry);
      id = this.parentOf(entry);
    }
    return path.reverse();
  }

  /** The id of the entry before this one: a leaf's target, the bridge over a broken link, else its parent. */
  parentOf(entry: AnyEntry): string | null {
    const link = linkOf(entry);
    if (link === null || (this.#byId.has(link) && !this.#isCircular(entry))) return link;
    return this.isPartial ? null : this.#links.bridge(link);
  }

  /** True where the link to the entry before is broken, so that history before it may be missing. */
  hasGapBefore(entry: AnyEntry): boolean {
    return entry.type !== "leaf" && !this.isPartial && this.#brokenLink(entry) !== undefined;
  }

  /** The nearest entry, from this one towards the root, that can be a position. */
  anchor(id: string | null): string | null {
    for (let at = id; at !== null; ) {
      const entry = this.#byId.get(at);
      if (entry === undefined) return null;
      if (!isMetadata(entry)) return at;
      at = this.parentOf(entry);
    }
    return null;
  }

  /** Entries whose nearest non-metadata ancestor is `id`, in the order of writing; null = the roots. */
  children(id: string | null): readonly AnyEntry[] {
    this.#children ??= Map.groupBy(this.#visible(), (entry) => this.anchor(this.parentOf(entry)));
    return this.#children.get(id) ?? [];
  }

  /** The whole tree, roots in the order of writing. */
  nodes(): readonly SessionTreeNode[] {
    const roots: SessionTreeNode[] = [];
    const visible = this.#visible();
    const children = new Map(visible.map((entry) => [entry.id, [] as SessionTreeNode[]]));
    for (const entry of visible) {
      const parent = this.anchor(this.parentOf(entry));
      const siblings = parent === null ? roots : (children.get(parent) ?? roots);
      siblings.push({ entry, label: this.#labels.get(entry.id), children: children.get(entry.id) ?? [] });
    }
    return roots;
  }

  #visible(): readonly AnyEntry[] {
    return this.#entries.filter((entry) => !isMetadata(entry));
  }

  #isCircular(entry: AnyEntry): boolean {
    return this.#links.isCircular(entry, (id) => {
      const at = this.#byId.get(id);
      return at === undefined ? null : linkOf(at);
    });
  }

  #brokenLink(entry: AnyEntry): SessionDiagnostic | undefined {
    const link = linkOf(entry);
    if (link === null || entry.type === "leaf") return undefined;
    const { id } = entry;
    if (!this.#byId.has(link)) {
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

  #applyGlobals(entry: AnyEntry): void {
    if (isEntry(entry, "label")) {
      if (entry.label === undefined || entry.label === "") this.#labels.delete(entry.targetId);
      else this.#labels.set(entry.targetId, entry.label);
    }
    if (isEntry(entry, "session_info")) this.#setName(entry.name);
    // At the end of a session the name may be older than what was read: the checkpoint carries it.
    if (this.isPartial && isEntry(entry, "compaction") && entry.checkpoint !== undefined) {
      this.#setName(entry.checkpoint.sessionName);
    }
  }

  #setName(name: unknown): void {
    this.#name = cleanName(name);
    this.#isNameKnown = true;
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
}

/** What an entry hangs on: a leaf is read by its target, whatever its parent says. */
export function linkOf(entry: AnyEntry): string | null {
  return isEntry(entry, "leaf") ? entry.targetId : entry.parentId;
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
