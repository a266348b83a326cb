import type { AgentMessage } from "@coppice/agent";
import type { Model, ThinkingLevel } from "@coppice/ai";
import type { CompactionResult, Pin } from "@coppice/compaction";
import type { Session, SessionContext } from "@coppice/session";
import type { Choices } from "./choices.ts";
import type { ContextInspection } from "./context-inspection.ts";
import type { ContextInspector } from "./context-inspector.ts";
import type { ContextUsage } from "./context-usage.ts";
import type { EventBus } from "./event-bus.ts";
import type { HarnessListener } from "./events.ts";
import type { Extension } from "./extension.ts";
import type { DialogPresenter } from "./extension-dialogs.ts";
import type { RegisteredCommand } from "./extension-registry.ts";
import type { Lifetime } from "./lifetime.ts";
import type { BringRequest, BringResult } from "./memory/bring-back.ts";
import type { CompactionDraft, CompactionOutlook, DraftChoice } from "./memory/compaction-drafts.ts";
import type { HistoryStep } from "./memory/compaction-history.ts";
import type { EntryEdit } from "./memory/entry-edits.ts";
import type { MemoryOperations } from "./memory/memory-operations.ts";
import type { RecallRequest, RecallResult } from "./memory/recall-entries.ts";
import type { PreviewedInput, RequestPreview, RequestPreviews } from "./memory/request-preview.ts";
import type { NavigateResult } from "./navigation.ts";
import type { OperationGate } from "./operation-gate.ts";
import type { Prompting, PromptOptions } from "./prompting.ts";
import type { Replacement } from "./replacement.ts";
import type { FileOperations } from "./rewind/file-operations.ts";
import type { RestoreOutcome } from "./rewind/restore-files.ts";
import type { ForkChoices, ForkResult } from "./session-fork.ts";
import type { AddedMessage, NavigateChoices, SessionOperations } from "./session-operations.ts";
import type { SessionStats } from "./stats.ts";

/** What a harness is made of; `createCodingAgent` wires it. */
export interface HarnessParts {
  readonly session: Session;
  readonly gate: OperationGate;
  readonly prompting: Prompting;
  readonly operations: SessionOperations;
  readonly choices: Choices;
  readonly inspector: ContextInspector;
  readonly events: EventBus;
  readonly lifetime: Lifetime;
  readonly replacement: Replacement;
  readonly memory: MemoryOperations;
  readonly files: FileOperations;
  readonly previews: RequestPreviews;
}

/**
 * A coding agent on one session: the facade over its parts. It holds no logic of its own.
 *
 * One operation (prompt, compact, navigate) at a time: another one is refused with `agent_busy`, messages are queued.
 */
export class AgentHarness {
  readonly #parts: HarnessParts;

  constructor(parts: HarnessParts) {
    this.#parts = parts;
  }

  get session(): Session {
    return this.#parts.session;
  }

  get model(): Model {
    return this.#parts.choices.model;
  }

  get thinkingLevel(): ThinkingLevel {
    return this.#parts.choices.thinkingLevel;
  }

  /** Names of all tools and of the active ones, in order of registration. */
  get tools(): { readonly all: readonly string[]; readonly active: readonly string[] } {
    return this.#parts.choices.tools;
  }

  get isBusy(): boolean {
    return this.#parts.gate.current !== undefined;
  }

  /**
   * Sends a message. Resolves when the run, its retries and compactions are over; a failing model does not reject, it
   * ends the transcript with a failed answer; so does a session that cannot be written, before a request leaves.
   * Throws `agent_busy`, `agent_disposed`, `agent_replaced`, `empty_prompt`.
   */
  prompt(text: string, options?: PromptOptions): Promise<void> {
    return this.#parts.prompting.prompt(text, options);
  }

  /** While a run works: before its next request. Idle: the same as `prompt`, failures reported as `diagnostic`. */
  steer(text: string, options?: PromptOptions): void {
    this.#parts.prompting.steer(text, options);
  }

  /** While a run works: when it would end. Idle: the same as `prompt`, failures reported as `diagnostic`. */
  followUp(text: string, options?: PromptOptions): void {
    this.#parts.prompting.followUp(text, options);
  }

  /** Takes queued messages back: steering first, then follow-ups, each oldest first. */
  clearQueue(): readonly AgentMessage[] {
    return this.#parts.prompting.clearQueue();
  }

  /** Stops what runs; resolves when idle. Queued messages stay queued, partial text stays in the session. */
  abort(): Promise<void> {
    return this.#parts.gate.abort();
  }

  /**
   * Compacts now, or stores a draft that was looked at and perhaps edited.
   *
   * Throws `agent_busy`, `nothing_to_compact`, `compaction_cancelled` or what made it fail; for a draft `draft_stale`, and
   * `summary_rejected` for an edited summary that frees nothing. The summary of the result is empty where a strategy only
   * showed old results shorter.
   */
  compact(
    options: { readonly instructions?: string; readonly draft?: DraftChoice } = {},
  ): Promise<CompactionResult> {
    const { instructions, draft } = options;
    return draft === undefined
      ? this.#parts.operations.compact(instructions)
      : this.#parts.memory.store(draft);
  }

  /** What a compaction now would put away, keep and cost; asks no model. Throws `agent_busy`, `nothing_to_compact`. */
  previewCompaction(): Promise<CompactionOutlook> {
    return this.#parts.memory.preview();
  }

  /**
   * Makes a compaction without storing it, for `compact({ draft })`; only what it cost is recorded. Throws as `compact`.
   */
  draftCompaction(options: { readonly instructions?: string } = {}): Promise<CompactionDraft> {
    return this.#parts.memory.draft(options.instructions);
  }

  /**
   * Takes the newest step back that made the context smaller: the compaction in force, with the edits it made, or the
   * masks that were set since. Later turns stay; what was masked stays whole from then on, and automatic compaction rests
   * until the context has grown. Throws `agent_busy`, `nothing_to_undo`.
   */
  undoCompaction(): Promise<HistoryStep> {
    return this.#parts.memory.undo();
  }

  /** Brings the compaction back that was undone last. Throws `agent_busy`, `nothing_to_redo`. */
  redoCompaction(): Promise<HistoryStep> {
    return this.#parts.memory.redo();
  }

  /**
   * Changes what the model sees of an entry of this branch; the file keeps all of it. Throws `agent_busy`,
   * `unknown_entry`, `invalid_edit` where nothing can be edited: an answer that calls tools, a summary.
   */
  editEntry(entryId: string, edit: EntryEdit): Promise<void> {
    return this.#parts.memory.edit(entryId, edit);
  }

  /**
   * Brings entries of other branches, or a summary of one, to the position, with their origin and how its files stand
   * now; what is here already is not brought again. Throws `agent_busy`, `unknown_entry`, `nothing_to_bring`, or the
   * summary's own error.
   */
  bringEntries(request: BringRequest): Promise<BringResult> {
    return this.#parts.memory.bring(request);
  }

  /**
   * Shows originals of the session within a budget, as the tool `recall` does for the model: of any branch, compacted or
   * not. Only reads, also while something runs, and pins nothing. Throws `nothing_recalled`.
   */
  recall(request: RecallRequest): Promise<RecallResult> {
    return this.#parts.memory.recall(request);
  }

  /**
   * Adds what the user did beside the agent (a command of their own) to the conversation; no answer is asked for. While a
   * prompt runs it enters behind the turn.
   */
  addMessage(message: AddedMessage): Promise<void> {
    return this.#parts.operations.addMessage(message);
  }

  /** Exactly what would be sent if this were said now. Nothing is sent or written. */
  previewRequest(input: PreviewedInput = {}): Promise<RequestPreview> {
    return this.#parts.previews.preview(input);
  }

  /**
   * Moves in the tree; null = before the first entry. A user message: to its parent, handing the text back.
   *
   * `summarize` leaves a summary of the branch that is left, `restoreFiles` puts the run's files back as well. Throws
   * `agent_busy`, `unknown_entry`, `navigation_cancelled`, or the summary's own error.
   */
  navigate(entryId: string | null, options?: NavigateChoices): Promise<NavigateResult> {
    return this.#parts.operations.navigate(entryId, options);
  }

  /** What `restoreFiles` would do. Throws `rewind_unavailable`, `agent_busy`, `unknown_entry`. */
  previewFiles(entryId: string | null): Promise<RestoreOutcome> {
    return this.#parts.files.preview(entryId);
  }

  /**
   * Puts the files that the run changed back to what they were at an entry; the talk stays where it is.
   *
   * What somebody else changed since is kept and reported, and nothing that the run did not make is removed. Throws
   * `rewind_unavailable` for an agent without snapshots, `agent_busy`, `unknown_entry`.
   */
  restoreFiles(entryId: string | null): Promise<RestoreOutcome> {
    return this.#parts.files.restore(entryId);
  }

  /**
   * Copies the path to an entry (default: the position) into a new session, which is the caller's; the agent stays on
   * its own. A user message: up to its parent, handing the text back. The fork works where the agent does, also where
   * the session's own directory is gone. Throws `agent_busy`, `unknown_entry`, `fork_unavailable` when the agent was
   * given no repository.
   */
  fork(choices: ForkChoices = {}): Promise<ForkResult> {
    return this.#parts.operations.fork(choices);
  }

  /**
   * Lets another agent go on in the place of this one: on a new session, a stored one, or a fork. `open` makes it and may
   * return more beside it.
   *
   * This one works on until the other is ready; then it stops, writes what is pending, and ends: its methods throw
   * `agent_replaced`, handles of its extensions `extension_unloaded`. Messages that were not sent come back as `queued`:
   * those of the queue, and a prompt that the `input` hook still had. Where `open` fails, or with `write_failed`, this one
   * goes on; what fails at its very end is a `diagnostic`. Throws `agent_busy` while it is being replaced already.
   */
  replace<Next extends { readonly agent: AgentHarness }>(
    open: () => Promise<Next>,
  ): Promise<Next & { readonly queued: readonly AgentMessage[] }> {
    return this.#parts.replacement.with(open);
  }

  /** Pins a rule: the model is told, and every summary repeats it word for word. Throws `empty_pin`. */
  pin(text: string): Promise<Pin> {
    return this.#parts.operations.pin(text);
  }

  /** Takes a pinned rule back. Throws `unknown_pin`. */
  unpin(id: string): Promise<void> {
    return this.#parts.operations.unpin(id);
  }

  /** The pinned rules in force at the position, oldest first. */
  pins(): Promise<readonly Pin[]> {
    return this.#parts.operations.pins();
  }

  /** Counts from the next request, also of a running prompt. */
  setModel(model: Model): Promise<void> {
    return this.#parts.choices.setModel(model);
  }

  /** Counts from the next request, also of a running prompt. */
  setThinkingLevel(level: ThinkingLevel): Promise<void> {
    return this.#parts.choices.setThinkingLevel(level);
  }

  /** Counts from the next request, also of a running prompt. Throws `unknown_tool`. */
  setActiveTools(names: readonly string[]): Promise<void> {
    return this.#parts.choices.setActiveTools(names);
  }

  getContextUsage(): Promise<ContextUsage> {
    return this.#parts.inspector.usage();
  }

  /** Every entry of the session with its place in the next request, and what that request is made of. */
  inspectContext(): Promise<ContextInspection> {
    return this.#parts.inspector.inspect();
  }

  getStats(): Promise<SessionStats> {
    return this.#parts.inspector.stats();
  }

  getContext(): Promise<SessionContext> {
    return this.#parts.inspector.context();
  }

  /** Commands of extensions, in order of registration. */
  get commands(): readonly RegisteredCommand[] {
    return this.#parts.operations.extensions.registry.commands;
  }

  /** Models of extensions. */
  get extensionModels(): readonly Model[] {
    return this.#parts.operations.extensions.registry.models;
  }

  /** Names of the extensions at work. */
  get extensionNames(): readonly string[] {
    return this.#parts.operations.extensions.names;
  }

  /** Runs a command of an extension; resolves with what it says to the user. Throws `unknown_command`. */
  runCommand(name: string, args = ""): Promise<string | undefined> {
    return this.#parts.operations.extensions.runCommand(name, args, this);
  }

  /** Takes all extensions out and sets these up; what the old ones registered is gone. Throws `agent_busy`. */
  reloadExtensions(extensions: readonly Extension[]): Promise<void> {
    return this.#parts.operations.reloadExtensions(extensions);
  }

  /**
   * Shows the dialogs of extensions from now on, one at a time; returns what takes the UI away again. What they ask
   * before is dismissed: a UI that is there from the beginning is given to `createCodingAgent` as `dialogs`.
   */
  attachDialogs(presenter: DialogPresenter): () => void {
    return this.#parts.operations.extensions.dialogs.attach(presenter);
  }

  /** Hears every event, awaited and in order; returns what unsubscribes. */
  subscribe(listener: HarnessListener): () => void {
    return this.#parts.events.subscribe(listener);
  }

  waitForIdle(): Promise<void> {
    return this.#parts.gate.waitForIdle();
  }

  /** Stops what runs, flushes, and releases the session's lock. Idempotent. */
  dispose(): Promise<void> {
    return this.#parts.lifetime.end();
  }
}
