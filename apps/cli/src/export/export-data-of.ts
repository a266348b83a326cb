import { type SessionStats, sessionStats } from "@coppice/coding-agent";
import {
  type AnyEntry,
  buildContextEntries,
  ENTRY_RULES,
  type EntryType,
  type SessionTreeNode,
} from "@coppice/session";
import { entryView } from "./entry-view.ts";
import type { ExportBranch, ExportData, ExportEntry, ExportTotals } from "./export-data.ts";

/** Branches for which it is worked out what the model still sees: each costs its length. */
const MAX_EXAMINED_BRANCHES = 200;

/** A session as it was read. */
export interface ReadSession {
  readonly header: { readonly id: string; readonly cwd: string; readonly timestamp: string };
  readonly name: string | undefined;
  /** Every entry, labels and the like included, in the order of writing. */
  readonly entries: readonly AnyEntry[];
  readonly tree: readonly SessionTreeNode[];
  readonly leafId: string | null;
  readonly problems: readonly string[];
}

interface PlacedEntry {
  readonly entry: AnyEntry;
  readonly label: string | undefined;
  readonly parentId: string | null;
  readonly isLeaf: boolean;
}

/** What the page of a session shows, secrets and all. Pure. */
export function exportDataOf(session: ReadSession, exportedAt: string): ExportData {
  const { header, name, entries, tree, leafId, problems } = session;
  const placed = placedEntries(tree);
  const inOrder = entries.flatMap(({ id }) => placed.get(id) ?? []);
  const places = new Map(inOrder.map(({ entry }, place) => [entry.id, place]));
  const placeOf = (id: string | null) => (id === null ? -1 : (places.get(id) ?? -1));
  return {
    session: {
      id: header.id,
      cwd: header.cwd,
      createdAt: header.timestamp,
      ...(name === undefined ? {} : { name }),
    },
    exportedAt,
    redactedSecrets: null,
    totals: totalsOf(sessionStats(entries)),
    entries: inOrder.map(
      ({ entry, label, parentId }): ExportEntry => ({
        id: entry.id,
        parent: placeOf(parentId),
        at: entry.timestamp,
        ...(label === undefined ? {} : { label }),
        view: entryView(entry),
      }),
    ),
    branches: branchesOf(inOrder, placeOf, leafId),
    problems,
  };
}

/** The tree without its nesting, which is as deep as the conversation is long. */
function placedEntries(tree: readonly SessionTreeNode[]): ReadonlyMap<string, PlacedEntry> {
  const placed = new Map<string, PlacedEntry>();
  const open = tree.map((node) => ({ node, parentId: null as string | null }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parentId } = next;
    const { entry, label, children } = node;
    placed.set(entry.id, { entry, label, parentId, isLeaf: children.length === 0 });
    for (const child of children) open.push({ node: child, parentId: entry.id });
  }
  return placed;
}

function branchesOf(
  entries: readonly PlacedEntry[],
  placeOf: (id: string | null) => number,
  leafId: string | null,
): readonly ExportBranch[] {
  const current = placeOf(leafId);
  const ends = entries.flatMap(({ isLeaf }, place) => (isLeaf && place !== current ? [place] : [])).reverse();
  const leaves = current === -1 ? ends : [current, ...ends];
  return leaves.map((leaf, index) => {
    if (index >= MAX_EXAMINED_BRANCHES) return { leaf };
    return { leaf, forgotten: forgottenRuns(pathTo(leaf, entries, placeOf)) };
  });
}

/** Root → leaf. */
function pathTo(
  leaf: number,
  entries: readonly PlacedEntry[],
  placeOf: (id: string | null) => number,
): readonly AnyEntry[] {
  const path: AnyEntry[] = [];
  for (let at = entries[leaf]; at !== undefined; at = entries[placeOf(at.parentId)]) path.push(at.entry);
  return path.reverse();
}

/** Runs of places whose entries would reach the model and do not. */
function forgottenRuns(path: readonly AnyEntry[]): readonly (readonly [number, number])[] {
  const seen = new Set(buildContextEntries(path).entries.map(({ entry }) => entry.id));
  const runs: [number, number][] = [];
  path.forEach((entry, place) => {
    if (!reachesModel(entry) || seen.has(entry.id)) return;
    const last = runs.at(-1);
    if (last !== undefined && last[1] === place - 1) last[1] = place;
    else runs.push([place, place]);
  });
  return runs;
}

/** System messages are part of the state, not of what is forgotten. */
function reachesModel(entry: AnyEntry): boolean {
  if (entry.type === "message" && (entry as { message?: { role?: unknown } }).message?.role === "system")
    return false;
  return Object.hasOwn(ENTRY_RULES, entry.type) && ENTRY_RULES[entry.type as EntryType].reachesModel;
}

function totalsOf({ usage, ...counts }: SessionStats): ExportTotals {
  return {
    userMessages: counts.userMessages,
    assistantMessages: counts.assistantMessages,
    toolCalls: counts.toolCalls,
    compactions: counts.compactions,
    inputTokens: usage.input,
    cacheReadTokens: usage.cacheRead,
    cacheWriteTokens: usage.cacheWrite,
    outputTokens: usage.output,
    costUsd: usage.cost.total,
  };
}
