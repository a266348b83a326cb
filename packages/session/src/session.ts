import type { AgentMessage } from "@coppice/agent";
import type { ThinkingLevel, Usage } from "@coppice/ai";
import { AppendQueue, type Outcome } from "./append-queue.ts";
import { type BuildContextOptions, buildContext, type SessionContext } from "./context.ts";
import { ContextCache } from "./context-cache.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import type { AnyEntry, EntryMap, SessionHeader } from "./entry.ts";
import type { EntryProjectors } from "./entry-messages.ts";
import { type EntryDraft, EntryStage } from "./entry-stage.ts";
import { isSessionError, SessionError } from "./errors.ts";
import { randomEntryId } from "./ids.ts";
import { type SearchedTree, type SearchMatch, type SearchOptions, searchStorage } from "./search.ts";
import { SessionTrees } from "./session-trees.ts";
import type { SessionStorage } from "./storage.ts";
import type { EntryTree, LinkedEntry, SessionTreeNode } from "./tree.ts";

export interface SessionOptions {
  /** Unix milliseconds. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** Messages of `custom` entries, by `customType`. */
  readonly projectors?: EntryProjectors;
  /** Refuses appends. */
  readonly readOnly?: boolean;
  /** Runs once, after the storage has been closed. */
  readonly onClose?: () => Promise<void>;
}

export interface BuildIndexOptions {
  /**
   * Takes an eighth of the file in memory, as the first search that goes far back does; not of files larger than 256 MiB.
   * Default: false.
   */
  readonly withTexts?: boolean;
}

/** Bytes; or whatever a store counts in. */
const MOST_LEARNT = 256 * 1024 * 1024;

type Step = (stage: EntryStage) => readonly string[];

/**
 * One conversation tree over a storage. Every append resolves with the new entry's id once the storage has it; the
 * order on disk is the order of the calls, and memory is never ahead of the storage.
 */
export class Session {
  readonly #storage: SessionStorage;
  readonly #options: SessionOptions;
  readonly #queue: AppendQueue<Step, readonly string[]>;
  readonly #trees: SessionTrees;
  #cache: ContextCache | undefined;
  #indexing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  private constructor(storage: SessionStorage, trees: SessionTrees, options: SessionOptions) {
    this.#storage = storage;
    this.#trees = trees;
    this.#options = options;
    this.#queue = new AppendQueue((steps) => this.#write(steps));
  }

  /** Reads from the end as far back as the context needs; writes nothing. The rest is read when it is asked for. */
  static async open(storage: SessionStorage, options: SessionOptions = {}): Promise<Session> {
    return new Session(storage, await SessionTrees.open(storage), options);
  }

  get header(): SessionHeader {
    return this.#storage.header;
  }

  get id(): string {
    return this.#storage.header.id;
  }

  get cwd(): string {
    return this.#storage.header.cwd;
  }

  /** File path, for stores that have one. */
  get path(): string | undefined {
    return this.#storage.path;
  }

  /** What was wrong with what has been read so far. */
  get diagnostics(): readonly SessionDiagnostic[] {
    return this.#trees.diagnostics;
  }

  appendMessage(message: AgentMessage): Promise<string> {
    return this.#append({ type: "message", message });
  }

  /** `firstKeptEntryId: ""` keeps nothing. A `retainedTail` is not stored. */
  appendCompaction(fields: EntryMap["compaction"]): Promise<string> {
    return this.#append({ ...fields, type: "compaction" });
  }

  appendBranchSummary(fields: EntryMap["branch_summary"]): Promise<string> {
    return this.#append({ ...fields, type: "branch_summary" });
  }

  appendCustomEntry(customType: string, data?: unknown): Promise<string> {
    return this.#append({ type: "custom", customType, ...(data === undefined ? {} : { data }) });
  }

  appendCustomMessageEntry(fields: EntryMap["custom_message"]): Promise<string> {
    return this.#append({ ...fields, type: "custom_message" });
  }

  appendModelChange(provider: string, modelId: string): Promise<string> {
    return this.#append({ type: "model_change", provider, modelId });
  }

  appendThinkingLevelChange(level: ThinkingLevel): Promise<string> {
    return this.#append({ type: "thinking_level_change", thinkingLevel: level });
  }

  appendActiveToolsChange(names: readonly string[]): Promise<string> {
    return this.#append({ type: "active_tools_change", activeToolNames: names });
  }

  appendUsage(fields: EntryMap["usage"]): Promise<string> {
    return this.#append({ ...fields, type: "usage" });
  }

  /** Hides (null) or replaces what the model sees of an entry, on this branch from here on. */
  appendContextEdit(targetId: string, replacement: EntryMap["context_edit"]["replacement"]): Promise<string> {
    return this.#append({ type: "context_edit", targetId, replacement });
  }

  /** An undefined or empty label clears it. */
  appendLabel(targetId: string, label: string | undefined): Promise<string> {
    return this.#append({ type: "label", targetId, ...(label ? { label } : {}) });
  }

  /** Stored as one trimmed line; an undefined or empty name clears it. */
  appendSessionName(name: string | undefined): Promise<string> {
    return this.#append({ type: "session_info", ...(name === undefined ? {} : { name }) });
  }

  /** Several entries in one write, in order, all or none. */
  appendBatch(drafts: readonly EntryDraft[]): Promise<readonly string[]> {
    return this.#queue.push((stage) => drafts.map((draft) => stage.add(draft)));
  }

  /** The position: the entry that the next one hangs on; null before the first. */
  getLeafId(): string | null {
    return this.#trees.position;
  }

  async getEntry(id: string): Promise<AnyEntry | undefined> {
    const here = this.#trees.context.get(id);
    if (here !== undefined) return here;
    const entry = (await this.#wholeTree()).get(id);
    return entry === undefined ? undefined : (await this.#trees.read([entry]))[0];
  }

  /** The entries of these ids, in their order, unknown ones left out: one pass, where `getEntry` would be one each. */
  async getEntriesById(ids: readonly string[]): Promise<readonly AnyEntry[]> {
    const tree = await this.#wholeTree();
    return this.#trees.read(ids.flatMap((id) => tree.get(id) ?? []));
  }

  /** Root → `fromId` (default: the position). Metadata that foreign writers put into the chain is included. */
  async getBranch(fromId: string | null = this.getLeafId()): Promise<readonly AnyEntry[]> {
    const tree = await this.#wholeTree();
    if (fromId !== null && tree.get(fromId) === undefined) throw unknownEntry(fromId);
    return this.#trees.read(tree.path(fromId));
  }

  /** The ids of `getBranch`, without reading what the entries hold. */
  async getBranchIds(fromId: string | null = this.getLeafId()): Promise<readonly string[]> {
    const tree = await this.#wholeTree();
    if (fromId !== null && tree.get(fromId) === undefined) throw unknownEntry(fromId);
    return tree.path(fromId).map(({ id }) => id);
  }

  /** Every entry, in the order of writing. */
  async getEntries(): Promise<readonly AnyEntry[]> {
    return this.#trees.read([...(await this.#wholeTree()).entries]);
  }

  /** At most `count` entries in the order of writing, without the first `start`: for passes over sessions of any size. */
  async getEntriesFrom(start: number, count: number): Promise<readonly AnyEntry[]> {
    const { entries } = await this.#wholeTree();
    return this.#trees.read(entries.slice(start, start + count));
  }

  /** The entries that hang on `id` (null: the roots), in the order of writing; labels, names and the like left out. */
  async getChildren(id: string | null): Promise<readonly AnyEntry[]> {
    return this.#trees.read([...(await this.#wholeTree()).children(id)]);
  }

  /** The whole tree with what the entries hold, which for a large session may be a lot: `getOutline` is the light one. */
  async getTree(): Promise<readonly SessionTreeNode[]> {
    const tree = await this.#wholeTree();
    const entries = new Map((await this.#trees.read(tree.entries)).map((entry) => [entry.id, entry]));
    return withEntries(tree.nodes(), entries);
  }

  /** The whole tree: type, id, parent and label of every entry, without what it holds. */
  async getOutline(): Promise<readonly SessionTreeNode<LinkedEntry>[]> {
    return (await this.#wholeTree()).nodes();
  }

  async getLabel(id: string): Promise<string | undefined> {
    return (await this.#wholeTree()).label(id);
  }

  async getName(): Promise<string | undefined> {
    const { stage } = this.#trees;
    return stage.isNameKnown ? stage.name : (await this.#wholeTree()).name;
  }

  /**
   * Reads the tree of everything in the background, so that what asks for it later, and searches, need not. Appends and
   * contexts go on meanwhile.
   *
   * `withTexts` learns as well which parts of the store hold what, so that the first search reads no more than later ones.
   */
  async buildIndex({ withTexts = false }: BuildIndexOptions = {}): Promise<void> {
    await this.#wholeTree();
    if (!withTexts || this.#trees.end > MOST_LEARNT) return;
    await this.#storage.learnTexts?.();
  }

  /** Moves the position; null = before the first entry. Written as a `leaf` entry, so that it survives a restart. */
  async moveTo(entryId: string | null): Promise<void> {
    await this.#queue.push((stage) => {
      const target = stage.anchor(entryId);
      return target === stage.position ? [] : [stage.add({ type: "leaf", targetId: target })];
    });
  }

  /**
   * Moves to `entryId` and appends a branch summary there whose `fromId` is the position that was left; `following` goes
   * below it, all of it or nothing.
   */
  async branchWithSummary(
    entryId: string | null,
    fields: { summary: string; details?: unknown; usage?: Usage; fromHook?: boolean },
    following: readonly EntryDraft[] = [],
  ): Promise<string> {
    const [id] = await this.#queue.push((stage) => {
      const fromId = stage.position ?? "root";
      const summary = stage.add({ ...fields, type: "branch_summary", fromId }, stage.anchor(entryId));
      return [summary, ...following.map((draft) => stage.add(draft))];
    });
    return id as string;
  }

  /** What the model sees at the position. Without options it costs what is new since the last call. */
  async buildContext(options?: BuildContextOptions): Promise<SessionContext> {
    if (this.#trees.isStale) await this.#queue.exclusively(() => this.#trees.refresh());
    const { context } = this.#trees;
    const defaults: BuildContextOptions = {
      hasGapBefore: (entry) => this.#trees.hasGapBefore(entry),
      ...(this.#options.projectors === undefined ? {} : { projectors: this.#options.projectors }),
    };
    if (options !== undefined)
      return buildContext(context.path(context.position), { ...defaults, ...options });
    if (this.#cache?.tree !== context) this.#cache = new ContextCache(context, defaults);
    return this.#cache.context();
  }

  /**
   * Entries of all branches that hold a text, compacted ones included; newest first, read as they are taken. One that
   * goes far back in a large file builds the index; with it, searches remember which parts of the file cannot hold what,
   * and later ones pass over them.
   */
  search(query: string, options?: SearchOptions): AsyncIterable<SearchMatch> {
    const trees = this.#trees;
    const tree: SearchedTree = {
      position: trees.position,
      get isWhole() {
        return trees.whole !== undefined;
      },
      isOnPath: (id) => trees.whole?.isOnPath(id),
      makeWhole: () => this.buildIndex(),
    };
    return searchStorage(this.#storage, tree, query, options);
  }

  /** Makes what was appended survive a power cut. */
  async sync(): Promise<void> {
    await this.#queue.idle();
    await this.#storage.sync();
  }

  /** Waits for appends under way and lets go of the storage. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#queue.idle();
    await this.#storage.close();
    await this.#options.onClose?.();
  }

  async #append(draft: EntryDraft): Promise<string> {
    const [id] = await this.#queue.push((stage) => [stage.add(draft)]);
    return id as string;
  }

  async #write(steps: readonly Step[]): Promise<readonly Outcome<readonly string[]>[]> {
    this.#checkWritable();
    let { stage, outcomes } = this.#stage(steps);
    if (this.#trees.whole === undefined && (stage.needsName || outcomes.some(isUnknownEntry))) {
      await this.#trees.adopt();
      ({ stage, outcomes } = this.#stage(steps));
    }
    const { entries } = stage;
    if (entries.length > 0) this.#trees.add(entries, await this.#storage.append(entries, this.#trees.end));
    return outcomes;
  }

  #stage(steps: readonly Step[]): { stage: EntryStage; outcomes: readonly Outcome<readonly string[]>[] } {
    const timestamp = new Date((this.#options.now ?? Date.now)()).toISOString();
    const stage = new EntryStage(this.#trees.stage, {
      newId: this.#options.newId ?? randomEntryId,
      timestamp,
    });
    return { stage, outcomes: steps.map((step) => attempt(stage, step)) };
  }

  /** The tree of everything; its last part is read between writes, so that neither sees half of the other. */
  async #wholeTree(): Promise<EntryTree<LinkedEntry>> {
    if (this.#trees.whole === undefined) {
      this.#indexing ??= this.#index().finally(() => {
        this.#indexing = undefined;
      });
      await this.#indexing;
    }
    return this.#trees.whole as EntryTree<LinkedEntry>;
  }

  async #index(): Promise<void> {
    const outline = await this.#trees.scan();
    await this.#queue.exclusively(() => this.#trees.adopt(outline));
  }

  #checkWritable(): void {
    if (this.#closed !== undefined) {
      throw new SessionError({ code: "closed", message: `Session ${this.id} is closed.` });
    }
    if (this.#options.readOnly === true) {
      throw new SessionError({
        code: "read_only",
        message: `Session ${this.id} was opened for reading only.`,
      });
    }
  }
}

function isUnknownEntry(outcome: Outcome<unknown>): boolean {
  return "error" in outcome && isSessionError(outcome.error, "unknown_entry");
}

function attempt(stage: EntryStage, step: Step): Outcome<readonly string[]> {
  const mark = stage.mark();
  try {
    return { value: step(stage) };
  } catch (error) {
    stage.rollBack(mark);
    return { error };
  }
}

function unknownEntry(id: string): SessionError {
  return new SessionError({
    code: "unknown_entry",
    message: `There is no entry ${id}.`,
    data: { entryId: id },
  });
}

function withEntries(
  nodes: readonly SessionTreeNode<LinkedEntry>[],
  entries: ReadonlyMap<string, AnyEntry>,
): readonly SessionTreeNode[] {
  const roots: SessionTreeNode[] = [];
  const open = nodes.map((node) => ({ node, siblings: roots })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, siblings } = next;
    const entry = entries.get(node.entry.id);
    if (entry === undefined) continue;
    const children: SessionTreeNode[] = [];
    siblings.push({ entry, label: node.label, children });
    open.push(...node.children.map((child) => ({ node: child, siblings: children })).reverse());
  }
  return roots;
}
