import type { AgentMessage } from "@coppice/agent";
import type { ThinkingLevel, Usage } from "@coppice/ai";
import { AppendQueue, type Outcome } from "./append-queue.ts";
import { type BuildContextOptions, buildContext, type SessionContext } from "./context.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import type { AnyEntry, EntryMap, SessionHeader } from "./entry.ts";
import type { EntryProjectors } from "./entry-messages.ts";
import { type EntryDraft, EntryStage } from "./entry-stage.ts";
import { SessionError } from "./errors.ts";
import { randomEntryId } from "./ids.ts";
import type { SessionStorage } from "./storage.ts";
import { EntryTree, type SessionTreeNode } from "./tree.ts";

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
  readonly #tree = new EntryTree();
  readonly #pageDiagnostics: SessionDiagnostic[] = [];
  #end = 0;
  #closed: Promise<void> | undefined;

  private constructor(storage: SessionStorage, options: SessionOptions) {
    this.#storage = storage;
    this.#options = options;
    this.#queue = new AppendQueue((steps) => this.#write(steps));
  }

  /** Reads what the storage holds; writes nothing. */
  static async open(storage: SessionStorage, options: SessionOptions = {}): Promise<Session> {
    const session = new Session(storage, options);
    await session.#load();
    return session;
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
    return [...this.#pageDiagnostics, ...this.#tree.diagnostics];
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
    return this.#tree.position;
  }

  async getEntry(id: string): Promise<AnyEntry | undefined> {
    return this.#tree.get(id);
  }

  /** Root → `fromId` (default: the position). Metadata that foreign writers put into the chain is included. */
  async getBranch(fromId: string | null = this.#tree.position): Promise<readonly AnyEntry[]> {
    if (fromId !== null && this.#tree.get(fromId) === undefined) throw unknownEntry(fromId);
    return this.#tree.path(fromId);
  }

  /** Every entry, in the order of writing. */
  async getEntries(): Promise<readonly AnyEntry[]> {
    return [...this.#tree.entries];
  }

  async getChildren(id: string | null): Promise<readonly AnyEntry[]> {
    return [...this.#tree.children(id)];
  }

  async getTree(): Promise<readonly SessionTreeNode[]> {
    return this.#tree.nodes();
  }

  async getLabel(id: string): Promise<string | undefined> {
    return this.#tree.label(id);
  }

  async getName(): Promise<string | undefined> {
    return this.#tree.name;
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

  /** What the model sees at the position. */
  async buildContext(options: BuildContextOptions = {}): Promise<SessionContext> {
    return buildContext(this.#tree.path(this.#tree.position), {
      hasGapBefore: (entry) => this.#tree.hasGapBefore(entry),
      ...(this.#options.projectors === undefined ? {} : { projectors: this.#options.projectors }),
      ...options,
    });
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
    const now = this.#options.now ?? Date.now;
    const stage = new EntryStage(this.#tree, {
      newId: this.#options.newId ?? randomEntryId,
      timestamp: () => new Date(now()).toISOString(),
    });
    const outcomes = steps.map((step) => attempt(stage, step));
    const { entries } = stage;
    if (entries.length > 0) {
      this.#end = await this.#storage.append(entries, this.#end);
      for (const entry of entries) this.#tree.add(entry);
    }
    return outcomes;
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

  async #load(): Promise<void> {
    const page = await this.#storage.readPage("whole");
    this.#end = page.end;
    this.#pageDiagnostics.push(...page.diagnostics);
    for (const item of page.items) {
      if (item.kind === "entry") this.#tree.add(item.entry);
      else this.#tree.addDamage(item.damage);
    }
  }
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
