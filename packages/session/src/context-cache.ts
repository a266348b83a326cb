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
import type { EntryTree } from "./tree.ts";

interface Built {
  readonly leafId: string | null;
  readonly fold: StateFold;
  readonly edits: ReadonlyMap<string, EditReplacement>;
  readonly entries: readonly ContextEntry[];
  readonly messages: readonly AgentMessage[];
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

  constructor(tree: EntryTree, options: BuildContextOptions) {
    this.tree = tree;
    this.#options = options;
  }

  /** The context now. A list that was handed out never changes; while nothing is new, it is the same one. */
  context(): SessionContext {
    const built = this.#grown() ?? this.#build();
    this.#built = built;
    const { fold, entries, messages, diagnostics } = built;
    return { ...fold.state, messages, entries, diagnostics };
  }

  #grown(): Built | undefined {
    const built = this.#built;
    if (built === undefined) return undefined;
    const added = this.#since(built.leafId);
    if (added === undefined || (added.length > 0 && !built.canGrow)) return undefined;
    const grown = added.flatMap((entry): readonly ContextEntry[] => {
      const messages = projectEntry(entry, built.edits, this.#options.projectors);
      return messages.length === 0 ? [] : [{ entry, messages }];
    });
    const { entries, messages } = built;
    return {
      ...built,
      leafId: this.tree.position,
      fold: added.reduce(foldState, built.fold),
      entries: grown.length === 0 ? entries : entries.concat(grown),
      messages: grown.length === 0 ? messages : messages.concat(grown.flatMap((entry) => entry.messages)),
    };
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
      entries,
      messages: entries.flatMap(({ messages }) => messages),
      diagnostics,
      canGrow: !path.some((entry) => this.#options.hasGapBefore?.(entry) ?? false),
    };
  }
}
