import type { AgentMessage } from "@coppice/agent";
import {
  type BuildContextOptions,
  buildContextEntries,
  type ContextEntry,
  latestEdits,
  projectEntry,
  type SessionContext,
} from "./context.ts";
import { EMPTY_FOLD, foldState, type StateFold } from "./context-state.ts";
import type { AnyEntry } from "./entry.ts";
import type { EditReplacement } from "./entry-messages.ts";
import { GrowingList } from "./growing-list.ts";
import type { EntryTree } from "./tree.ts";

interface Built {
  readonly leafId: string | null;
  readonly fold: StateFold;
  readonly edits: ReadonlyMap<string, EditReplacement>;
  /** Shared by the contexts of a branch that grows: each one hands out the first so many. */
  readonly entries: GrowingList<ContextEntry>;
  readonly messages: GrowingList<AgentMessage>;
  readonly diagnostics: readonly string[];
  /** False where a gap may still have to be told before a later message. */
  readonly canGrow: boolean;
}

/** The context at a tree's position, kept and extended while the branch only grows. */
export class ContextCache {
  /** Whose position counts. */
  readonly tree: EntryTree;
  readonly #options: BuildContextOptions;
  #built: Built | undefined;
  #context: SessionContext | undefined;

  constructor(tree: EntryTree, options: BuildContextOptions) {
    this.tree = tree;
    this.#options = options;
  }

  /**
   * The context now. Costs what is new; its lists are copied once when they are looked at after they grew, and never
   * change. While nothing is new, the context is the same one; while nothing new reaches the model, its lists are.
   */
  context(): SessionContext {
    const built = this.#grown() ?? this.#build();
    if (built !== this.#built) this.#context = contextOf(built);
    this.#built = built;
    return this.#context ?? contextOf(built);
  }

  #grown(): Built | undefined {
    const built = this.#built;
    if (built === undefined) return undefined;
    const added = this.#since(built.leafId);
    if (added === undefined || (added.length > 0 && !built.canGrow)) return undefined;
    if (added.length === 0) return built;
    for (const entry of added) {
      const messages = projectEntry(entry, built.edits, this.#options.projectors);
      if (messages.length === 0) continue;
      built.entries.push({ entry, messages });
      built.messages.push(...messages);
    }
    return { ...built, leafId: this.tree.position, fold: added.reduce(foldState, built.fold) };
  }

  /** What was added to the branch after `leafId`; undefined when the branch did not just grow. */
  #since(leafId: string | null): readonly AnyEntry[] | undefined {
    const added: AnyEntry[] = [];
    for (let id = this.tree.position; id !== leafId; ) {
      const entry = id === null ? undefined : this.tree.get(id);
      if (entry === undefined || entry.type === "compaction" || entry.type === "context_edit")
        return undefined;
      added.push(entry);
      id = this.tree.parentOf(entry);
    }
    return added.reverse();
  }

  #build(): Built {
    const path = this.tree.path(this.tree.position);
    const { entries, diagnostics } = buildContextEntries(path, this.#options);
    return {
      leafId: this.tree.position,
      fold: path.reduce(foldState, EMPTY_FOLD),
      edits: latestEdits(path),
      entries: new GrowingList(entries),
      messages: new GrowingList(entries.flatMap(({ messages }) => messages)),
      diagnostics,
      canGrow: !path.some((entry) => this.#options.hasGapBefore?.(entry) ?? false),
    };
  }
}

function contextOf({ fold, entries, messages, diagnostics }: Built): SessionContext {
  const [entryCount, messageCount] = [entries.length, messages.length];
  let entriesNow: readonly ContextEntry[] | undefined;
  let messagesNow: readonly AgentMessage[] | undefined;
  return {
    ...fold.state,
    diagnostics,
    get entries() {
      entriesNow ??= entries.first(entryCount);
      return entriesNow;
    },
    get messages() {
      messagesNow ??= messages.first(messageCount);
      return messagesNow;
    },
  };
}
