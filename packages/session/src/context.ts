import type { AgentMessage } from "@coppice/agent";
import { deriveSessionContextState, type SessionContextState } from "./context-state.ts";
import { type AnyEntry, isEntry, type SessionEntry } from "./entry.ts";
import {
  type EditReplacement,
  type EntryProjectors,
  editedMessages,
  sessionEntryToContextMessages,
} from "./entry-messages.ts";

/** One entry of the projection with the messages it became. */
export interface ContextEntry {
  readonly entry: AnyEntry;
  readonly messages: readonly AgentMessage[];
}

/** What the model sees of a branch, and how it goes on. */
export interface SessionContext extends SessionContextState {
  /** Oldest first; no system messages. */
  readonly messages: readonly AgentMessage[];
  readonly entries: readonly ContextEntry[];
  /** Gaps, unknown boundaries and the like met on the way. */
  readonly diagnostics: readonly string[];
}

export interface BuildContextOptions {
  /** Messages of `custom` entries, by `customType`. */
  readonly projectors?: EntryProjectors;
  /** True for an entry before which history is missing: the model is told so. */
  readonly hasGapBefore?: (entry: AnyEntry) => boolean;
  /** Replaces the last step, from selected entries to messages. */
  readonly transform?: ContextEntryTransform;
}

/** From the selected entries (compaction first) and the latest edit per target to the projection. */
export type ContextEntryTransform = (
  selected: readonly AnyEntry[],
  edits: ReadonlyMap<string, EditReplacement>,
  options: BuildContextOptions,
) => readonly ContextEntry[];

/** The projection of a path (root first): messages and state. Pure. */
export function buildContext(path: readonly AnyEntry[], options: BuildContextOptions = {}): SessionContext {
  const { entries, diagnostics } = buildContextEntries(path, options);
  return {
    ...deriveSessionContextState(path),
    messages: entries.flatMap((entry) => entry.messages),
    entries,
    diagnostics,
  };
}

/** The entries of a path that the model sees, in order, each with its messages. */
export function buildContextEntries(
  path: readonly AnyEntry[],
  options: BuildContextOptions = {},
): { readonly entries: readonly ContextEntry[]; readonly diagnostics: readonly string[] } {
  const edits = latestEdits(path);
  const diagnostics: string[] = [];
  const selected = selectEntries(path, edits, diagnostics);
  const transform = options.transform ?? defaultContextEntryTransform;
  return { entries: transform(selected, edits, options), diagnostics };
}

/** The latest replacement per target; only edits of this path count, and not those of a compaction that was undone. */
export function latestEdits(path: readonly AnyEntry[]): ReadonlyMap<string, EditReplacement> {
  const all = editsBut(path, NONE);
  if (all.size === 0) return all;
  const gone = new Set(
    path.filter((entry) => all.get(entry.id) === null).flatMap((entry) => ownEdits(entry, path)),
  );
  return gone.size === 0 ? all : editsBut(path, gone);
}

const NONE: ReadonlySet<AnyEntry> = new Set();

function editsBut(path: readonly AnyEntry[], gone: ReadonlySet<AnyEntry>): Map<string, EditReplacement> {
  const edits = new Map<string, EditReplacement>();
  for (const entry of path) {
    if (isEntry(entry, "context_edit") && !gone.has(entry)) edits.set(entry.targetId, entry.replacement);
  }
  return edits;
}

/** The edits that a compaction on a path made: those right before it, as many as its checkpoint says. */
export function ownEdits(
  compaction: AnyEntry,
  path: readonly AnyEntry[],
): readonly SessionEntry<"context_edit">[] {
  if (!isEntry(compaction, "compaction")) return [];
  const count = compaction.checkpoint?.ownEdits;
  if (typeof count !== "number" || count <= 0) return [];
  const at = path.indexOf(compaction);
  const edits: SessionEntry<"context_edit">[] = [];
  for (const entry of path.slice(Math.max(0, at - count), at))
    if (isEntry(entry, "context_edit")) edits.push(entry);
  return edits;
}

/** The latest compaction of a path that no edit has undone. */
export function activeCompaction(
  path: readonly AnyEntry[],
  edits: ReadonlyMap<string, EditReplacement> = latestEdits(path),
): SessionEntry<"compaction"> | undefined {
  return path.findLast(
    (entry): entry is SessionEntry<"compaction"> =>
      isEntry(entry, "compaction") && edits.get(entry.id) !== null,
  );
}

function selectEntries(
  path: readonly AnyEntry[],
  edits: ReadonlyMap<string, EditReplacement>,
  diagnostics: string[],
): readonly AnyEntry[] {
  const notCompaction = (entry: AnyEntry) => !isEntry(entry, "compaction");
  const compaction = activeCompaction(path, edits);
  if (compaction === undefined) return path.filter(notCompaction);
  const at = path.indexOf(compaction);
  const kept = keptRange(path.slice(0, at), compaction, diagnostics).filter(notCompaction);
  return [compaction, ...kept, ...path.slice(at + 1).filter(notCompaction)];
}

function keptRange(
  before: readonly AnyEntry[],
  compaction: SessionEntry<"compaction">,
  diagnostics: string[],
): readonly AnyEntry[] {
  const boundary = compaction.firstKeptEntryId;
  if (compaction.retainedTail !== undefined || boundary === compaction.id) return [];
  const from = before.findIndex((entry) => entry.id === boundary);
  if (from !== -1) return before.slice(from);
  diagnostics.push(
    `Compaction ${compaction.id} keeps history from ${boundary ?? "nowhere"}, which is not on this branch.`,
  );
  return [];
}

/** Applies the edits and turns entries into messages; entries that become nothing are left out. */
export function defaultContextEntryTransform(
  selected: readonly AnyEntry[],
  edits: ReadonlyMap<string, EditReplacement>,
  options: BuildContextOptions,
): readonly ContextEntry[] {
  const result: ContextEntry[] = [];
  let gap = false;
  for (const entry of selected) {
    gap ||= options.hasGapBefore?.(entry) ?? false;
    const messages = projectEntry(entry, edits, options.projectors);
    if (messages.length === 0) continue;
    // A call and its results stay together: the notice waits for the next message that is no result.
    const tell = gap && messages[0]?.role !== "toolResult";
    result.push({ entry, messages: tell ? [gapNotice(messages[0]), ...messages] : messages });
    if (tell) gap = false;
  }
  return result;
}

/** The messages of one entry under the edits in force. */
export function projectEntry(
  entry: AnyEntry,
  edits: ReadonlyMap<string, EditReplacement>,
  projectors: EntryProjectors | undefined,
): readonly AgentMessage[] {
  const messages = sessionEntryToContextMessages(entry, projectors);
  const edit = edits.get(entry.id);
  return edit === undefined ? messages : editedMessages(entry, messages, edit);
}

function gapNotice(next: AgentMessage | undefined): AgentMessage {
  return {
    role: "custom",
    customType: "coppice.gap",
    content:
      "[Part of the conversation before this point could not be read from the session file and is missing.]",
    display: true,
    timestamp: next?.timestamp ?? 0,
  };
}
