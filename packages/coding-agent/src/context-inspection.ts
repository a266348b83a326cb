import type { AgentMessage } from "@coppice/agent";
import type { Usage } from "@coppice/ai";
import { estimateContextTokens, estimateTokens, type Pin, pinnedSection } from "@coppice/compaction";
import { type AnyEntry, activeCompaction, isEntry, latestEdits } from "@coppice/session";
import type { Projection } from "./context-view.ts";
import { type EntryState, entryReason } from "./entry-reason.ts";

export interface InspectedEntry {
  readonly entryId: string;
  readonly type: string;
  /** Of the message, where the entry holds one. */
  readonly role: string | undefined;
  readonly state: EntryState;
  /** Why it stands there, one sentence. */
  readonly reason: string;
  /** What it takes of the next request. */
  readonly tokens: number;
  /** What was paid for it. */
  readonly costUsd: number;
}

/** What a part of the next request is: a part of the system prompt, or messages of one kind. */
export type ContextSource =
  | "system"
  | "tools"
  | "contextFiles"
  | "skills"
  | "summary"
  | "pins"
  | "branchSummary"
  | "user"
  | "assistant"
  | "toolResult"
  | "other";

export interface ContextInspection {
  /** Size of the next request; the sources sum to it. */
  readonly tokens: number;
  readonly isEstimate: boolean;
  /** Every source that takes something, in a fixed order. */
  readonly sources: readonly { readonly source: ContextSource; readonly tokens: number }[];
  /** Every entry of the session, in the order of writing. */
  readonly entries: readonly InspectedEntry[];
}

export interface ContextInspectionInput {
  readonly projection: Projection;
  /** Of the whole session, in the order of writing. */
  readonly entries: readonly AnyEntry[];
  /** Root → position. */
  readonly path: readonly AnyEntry[];
  /** Sections of the system prompt. */
  readonly sections: Readonly<Record<string, string>>;
  readonly pins: readonly Pin[];
}

const SOURCES: readonly ContextSource[] = [
  ...(["system", "tools", "contextFiles", "skills", "summary", "pins", "branchSummary"] as const),
  ...(["user", "assistant", "toolResult", "other"] as const),
];

interface Part {
  readonly source: ContextSource;
  readonly entryId: string | undefined;
  readonly estimate: number;
}

/** Every entry with its place in the next request, and what the request is made of. Pure. */
export function inspectContext(input: ContextInspectionInput): ContextInspection {
  const { projection, entries, path } = input;
  const { tokens, isEstimate } = projection.size;
  const parts = partsOf(input);
  const sizes = sharesOf(
    tokens,
    parts.map(({ estimate }) => estimate),
  );
  const tokensOf = new Map<string, number>();
  const bySource = new Map<ContextSource, number>();
  parts.forEach(({ source, entryId }, index) => {
    const size = sizes[index] ?? 0;
    bySource.set(source, (bySource.get(source) ?? 0) + size);
    if (entryId !== undefined) tokensOf.set(entryId, (tokensOf.get(entryId) ?? 0) + size);
  });
  const edits = latestEdits(path);
  const place = {
    onPath: new Set(path.map(({ id }) => id)),
    shown: new Set(projection.context.entries.map(({ entry }) => entry.id)),
    edits,
    compaction: activeCompaction(path, edits),
    path,
  };
  return {
    tokens,
    isEstimate,
    sources: SOURCES.flatMap((source) => {
      const size = bySource.get(source) ?? 0;
      return size === 0 ? [] : [{ source, tokens: size }];
    }),
    entries: entries.map((entry) => ({
      entryId: entry.id,
      type: entry.type,
      role: isEntry(entry, "message") ? entry.message.role : undefined,
      ...entryReason(entry, place),
      tokens: tokensOf.get(entry.id) ?? 0,
      costUsd: costOf(entry),
    })),
  };
}

/** The request's parts with their own estimates, in the order in which they are sent. */
function partsOf(input: ContextInspectionInput): readonly Part[] {
  const { projection, sections, pins } = input;
  const { systemPrompt, tools, estimator, context, messages } = projection;
  const text = (value: string | undefined) => (value === undefined ? 0 : estimator.estimateText(value));
  const contextFiles = text(sections.project_context);
  const skills = text(sections.skills);
  const pinned = text(pinnedSection(pins));
  const part = (source: ContextSource, estimate: number, entryId?: string): Part => ({
    source,
    estimate: Math.max(0, estimate),
    entryId,
  });
  const written = context.entries.flatMap(({ entry, messages: own }) =>
    own.flatMap((message) => {
      const estimate = estimateTokens(message, estimator);
      if (message.role !== "compactionSummary") return [part(sourceOf(message), estimate, entry.id)];
      const ofPins = Math.min(estimate, message.summary.includes("## Pinned") ? pinned : 0);
      return [part("summary", estimate - ofPins, entry.id), part("pins", ofPins, entry.id)];
    }),
  );
  const unwritten = messages.slice(context.messages.length);
  return [
    part("system", text(systemPrompt) - contextFiles - skills),
    part("tools", estimateContextTokens({ messages: [], tools, estimator }).tokens),
    part("contextFiles", contextFiles),
    part("skills", skills),
    ...written,
    ...unwritten.map((message) => part(sourceOf(message), estimateTokens(message, estimator))),
  ];
}

function sourceOf({ role }: AgentMessage): ContextSource {
  return (SOURCES as readonly string[]).includes(role) ? (role as ContextSource) : "other";
}

/** `total` shared out in proportion, in whole numbers that sum to it. */
function sharesOf(total: number, estimates: readonly number[]): readonly number[] {
  const sum = estimates.reduce((a, b) => a + b, 0);
  let before = 0;
  let cumulative = 0;
  return estimates.map((estimate) => {
    cumulative += estimate;
    const upTo = sum === 0 ? 0 : Math.round((total * cumulative) / sum);
    const share = upTo - before;
    before = upTo;
    return share;
  });
}

function costOf(entry: AnyEntry): number {
  const holder: unknown = isEntry(entry, "message") ? entry.message : entry;
  const { usage } = holder as { readonly usage?: Partial<Usage> };
  return usage?.cost?.total ?? 0;
}
