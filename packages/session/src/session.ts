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
import { type SearchMatch, type SearchOptions, searchStorage } from "./search.ts";
import type { SessionStorage } from "./storage.ts";
import type { EntryTree, SessionTreeNode } from "./tree.ts";
import { type LoadedTree, loadTail, loadWhole } from "./tree-loader.ts";

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

type Step = (stage: EntryStage) => readonly string[];

/**
 * One conversation tree over a storage. Every append resolves with the new entry's id once the storage has it; the
 * order on disk is the order of the calls, and memory is never ahead of the storage.
 */
export class Session {
  readonly #storage: SessionStorage;
  readonly #options: SessionOptions;
  readonly #queue: AppendQueue<Step, readonly string[]>;
  #loaded: LoadedTree;
  #cache: ContextCache | undefined;
  #whole: Promise<EntryTree> | undefined;
  #closed: Promise<void> | undefined;

  private constructor(storage: SessionStorage, loaded: LoadedTree, options: SessionOptions) {
    this.#storage = storage;
    this.#loaded = loaded;
    this.#options = options;
    this.#queue = new AppendQueue((steps) => this.#write(steps));
  }

  /** Reads from the end as far back as the context needs; writes nothing. The rest is read when it is asked for. */
  static async open(storage: SessionStorage, options: SessionOptions = {}): Promise<Session> {
    return new Session(storage, await loadTail(storage), options);
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
    return [...this.#loaded.diagnostics, ...this.#loaded.tree.diagnostics];
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
    return this.#loaded.tree.position;
  }

  async getEntry(id: string): Promise<AnyEntry | undefined> {
    return this.#loaded.tree.get(id) ?? (await this.#wholeTree()).get(id);
  }

  /** Root → `fromId` (default: the position). Metadata that foreign writers put into the chain is included. */
  async getBranch(fromId: string | null = this.getLeafId()): Promise<readonly AnyEntry[]> {
    const tree = await this.#wholeTree();
    if (fromId !== null && tree.get(fromId) === undefined) throw unknownEntry(fromId);
    return tree.path(fromId);
  }

  /** Every entry, in the order of writing. */
  async getEntries(): Promise<readonly AnyEntry[]> {
    return [...(await this.#wholeTree()).entries];
  }

  /** The entries that hang on `id` (null: the roots), in the order of writing; labels, names and the like left out. */
  async getChildren(id: string | null): Promise<readonly AnyEntry[]> {
    return [...(await this.#wholeTree()).children(id)];
  }

  async getTree(): Promise<readonly SessionTreeNode[]> {
    return (await this.#wholeTree()).nodes();
  }

  async getLabel(id: string): Promise<string | undefined> {
    return (await this.#wholeTree()).label(id);
  }

  async getName(): Promise<string | undefined> {
    const { tree } = this.#loaded;
    return tree.isNameKnown ? tree.name : (await this.#wholeTree()).name;
  }

  /** Moves the position; null = before the first entry. Written as a `leaf` entry, so that it survives a restart. */
  async moveTo(entryId: string | null): Promise<void> {
    await this.#queue.push((stage) => {
      const target = stage.anchor(entryId);
      return target === stage.position ? [] : [stage.add({ type: "leaf", targetId: target })];
    });
  }

  /** Moves to `entryId` and appends a branch summary there whose `fromId` is the position that was left. */
  async branchWithSummary(
    entryId: string | null,
    fields: { summary: string; details?: unknown; usage?: Usage; fromHook?: boolean },
  ): Promise<string> {
    const [id] = await this.#queue.push((stage) => {
      const fromId = stage.position ?? "root";
      return [stage.add({ ...fields, type: "branch_summary", fromId }, stage.anchor(entryId))];
    });
    return id as string;
  }

  /** What the model sees at the position. Without options it costs what is new since the last call. */
  async buildContext(options?: BuildContextOptions): Promise<SessionContext> {
    const { tree } = this.#loaded;
    const defaults: BuildContextOptions = {
      hasGapBefore: (entry) => tree.hasGapBefore(entry),
      ...(this.#options.projectors === undefined ? {} : { projectors: this.#options.projectors }),
    };
    if (options !== undefined) return buildContext(tree.path(tree.position), { ...defaults, ...options });
    this.#cache ??= new ContextCache(tree, defaults);
    return this.#cache.context();
  }

  /** Entries of all branches that hold a text, compacted ones included; newest first, read as they are taken. */
  search(query: string, options?: SearchOptions): AsyncIterable<SearchMatch> {
    return searchStorage(this.#storage, this.getLeafId(), query, options);
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
    if (this.#loaded.tree.isPartial && (stage.needsName || outcomes.some(isUnknownEntry))) {
      this.#take(await loadWhole(this.#storage));
      ({ stage, outcomes } = this.#stage(steps));
    }
    const { entries } = stage;
    if (entries.length > 0) {
      const end = await this.#storage.append(entries, this.#loaded.end);
      for (const entry of entries) this.#loaded.tree.add(entry);
      this.#loaded = { ...this.#loaded, end };
    }
    return outcomes;
  }

  #stage(steps: readonly Step[]): { stage: EntryStage; outcomes: readonly Outcome<readonly string[]>[] } {
    const timestamp = new Date((this.#options.now ?? Date.now)()).toISOString();
    const stage = new EntryStage(this.#loaded.tree, {
      newId: this.#options.newId ?? randomEntryId,
      timestamp,
    });
    return { stage, outcomes: steps.map((step) => attempt(stage, step)) };
  }

  /** Reads everything, once; between writes, so that neither sees half of the other. */
  async #wholeTree(): Promise<EntryTree> {
    if (!this.#loaded.tree.isPartial) return this.#loaded.tree;
    this.#whole ??= this.#queue.exclusively(async () => {
      if (this.#loaded.tree.isPartial) this.#take(await loadWhole(this.#storage));
      return this.#loaded.tree;
    });
    try {
      return await this.#whole;
    } finally {
      this.#whole = undefined;
    }
  }

  #take(loaded: LoadedTree): void {
    this.#loaded = loaded;
    this.#cache = undefined;
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
