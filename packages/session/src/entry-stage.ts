import { type AnyEntry, type Checkpoint, type EntryMap, isEntry } from "./entry.ts";
import { SessionError } from "./errors.ts";
import { cleanName, isMetadata, type LinkedEntry, ruleOf } from "./tree.ts";

/** An entry without id, parent and timestamp; the session supplies them. */
export type EntryDraft = { [K in keyof EntryMap]: { readonly type: K } & EntryMap[K] }[keyof EntryMap];

export interface StageSource {
  readonly newId: () => string;
  /** ISO 8601 with milliseconds: when the entries are written. */
  readonly timestamp: string;
}

/** What a stage asks of the tree that it stands on. */
export interface StageTree {
  readonly position: string | null;
  readonly name: string | undefined;
  readonly isNameKnown: boolean;
  get(id: string): LinkedEntry | undefined;
  anchor(id: string | null): string | null;
}

const MAX_ID_ATTEMPTS = 100;

/** Entries made ready for one write, on top of a tree that does not have them yet. */
export class EntryStage {
  readonly #tree: StageTree;
  readonly #source: StageSource;
  readonly #staged = new Map<string, AnyEntry>();
  #position: string | null;
  #name: string | undefined;
  #isNameKnown: boolean;
  #needsName = false;

  constructor(tree: StageTree, source: StageSource) {
    this.#tree = tree;
    this.#source = source;
    this.#position = tree.position;
    this.#name = tree.name;
    this.#isNameKnown = tree.isNameKnown;
  }

  get entries(): readonly AnyEntry[] {
    return [...this.#staged.values()];
  }

  /** True when a checkpoint was staged that must carry a name which the tree does not know. */
  get needsName(): boolean {
    return this.#needsName;
  }

  get position(): string | null {
    return this.#position;
  }

  get(id: string): LinkedEntry | undefined {
    return this.#staged.get(id) ?? this.#tree.get(id);
  }

  /** Adds a draft under the position (or under `parentId`) and returns its id. Throws on a draft that makes no sense. */
  add(draft: EntryDraft, parentId: string | null = this.#position): string {
    const fields = this.#checked(draft);
    const id = this.#freeId();
    const parent = isLeaf(fields) ? fields.targetId : parentId;
    const { type, ...rest } = fields;
    const entry = {
      type,
      id,
      parentId: parent,
      timestamp: this.#source.timestamp,
      ...rest,
    } as AnyEntry;
    this.#staged.set(id, isEntry(entry, "compaction") ? withBoundary(entry) : entry);
    if (isLeaf(fields)) this.#position = fields.targetId;
    else if (ruleOf(type).moves !== "never") this.#position = id;
    return id;
  }

  /** Undoes everything staged after the given state, for an item that failed half-way. */
  rollBack(to: { readonly size: number; readonly position: string | null }): void {
    for (const id of [...this.#staged.keys()].slice(to.size)) this.#staged.delete(id);
    this.#position = to.position;
  }

  /** A state to roll back to. */
  mark(): { readonly size: number; readonly position: string | null } {
    return { size: this.#staged.size, position: this.#position };
  }

  /** The nearest entry that can be a position; throws when there is no such entry. */
  anchor(id: string | null): string | null {
    if (id === null) return null;
    const entry = this.#known(id);
    if (!isMetadata(entry)) return id;
    return this.#staged.has(id) ? this.#position : this.#tree.anchor(id);
  }

  #checked(draft: EntryDraft): EntryDraft {
    if (draft.type === "leaf") return { ...draft, targetId: this.anchor(draft.targetId) };
    if (draft.type === "label" || draft.type === "context_edit") this.#known(draft.targetId);
    if (draft.type === "session_info") {
      this.#name = cleanName(draft.name);
      this.#isNameKnown = true;
      return { type: "session_info", name: this.#name ?? "" };
    }
    if (draft.type === "compaction") return this.#checkedCompaction(draft);
    return draft;
  }

  #checkedCompaction(draft: Extract<EntryDraft, { type: "compaction" }>): EntryDraft {
    const { retainedTail: _, ...fields } = draft;
    if (fields.summary.trim() === "") {
      throw new SessionError({
        code: "invalid_entry",
        message: "A compaction needs a summary; it was empty.",
      });
    }
    if (fields.firstKeptEntryId !== "") this.#known(fields.firstKeptEntryId);
    return fields.checkpoint === undefined
      ? fields
      : { ...fields, checkpoint: this.#named(fields.checkpoint) };
  }

  /** Whoever opens the session from its end finds the name in the latest checkpoint. */
  #named(checkpoint: Checkpoint): Checkpoint {
    const { sessionName: _, ...rest } = checkpoint;
    this.#needsName ||= !this.#isNameKnown;
    return this.#name === undefined ? rest : { ...rest, sessionName: this.#name };
  }

  #known(id: string): LinkedEntry {
    const entry = this.get(id);
    if (entry !== undefined) return entry;
    throw new SessionError({
      code: "unknown_entry",
      message: `There is no entry ${id}.`,
      data: { entryId: id },
    });
  }

  #freeId(): string {
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
      const id = this.#source.newId();
      if (this.get(id) === undefined) return id;
    }
    throw new SessionError({
      code: "invalid_entry",
      message: `No unused entry id in ${MAX_ID_ATTEMPTS} attempts.`,
    });
  }
}

function isLeaf(draft: EntryDraft): draft is Extract<EntryDraft, { type: "leaf" }> {
  return draft.type === "leaf";
}

/** Keeping nothing is written as the entry's own id, which callers cannot know: they say "". */
function withBoundary(entry: Extract<AnyEntry, { type: "compaction" }>): AnyEntry {
  return entry.firstKeptEntryId === "" ? { ...entry, firstKeptEntryId: entry.id } : entry;
}
