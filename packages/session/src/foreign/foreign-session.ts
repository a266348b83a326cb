import { createHash } from "node:crypto";
import { type Model, type TokenCounts, usageWithCost, ZERO_COST } from "@coppice/ai";
import { type AnyEntry, SESSION_VERSION, type SessionEntry, type SessionHeader } from "../entry.ts";
import { uuidV7 } from "../ids.ts";
import type { SessionCopy } from "../merge-sessions.ts";
import type { ForeignBody, ForeignConversation } from "./foreign-conversation.ts";

const ENTRY_ID_CHARACTERS = 16;

export interface ForeignSessionOptions {
  /** Where a session lies whose file does not say it. Absolute. */
  readonly cwd: string;
  /** Prices of a model, to fill in what the answers cost; without, they cost nothing. */
  readonly pricesOf?: (provider: string, modelId: string) => Model["cost"] | undefined;
}

/**
 * A foreign conversation as a session. The same file gives the same ids, so that taking it in twice is noticed; a
 * session whose file has no id gets a new one.
 */
export function foreignSession(
  conversation: ForeignConversation,
  { cwd, pricesOf }: ForeignSessionOptions,
): SessionCopy {
  const { product, productVersion, sessionId, steps, name } = conversation;
  const startedAtMs = conversation.startedAtMs ?? steps.find((step) => step.timestampMs)?.timestampMs ?? 0;
  const id = sessionId ?? uuidV7(startedAtMs);
  const header: SessionHeader = {
    type: "session",
    version: SESSION_VERSION,
    id,
    timestamp: isoTime(startedAtMs),
    cwd: conversation.cwd ?? cwd,
    metadata: {
      importedFrom: { product, ...(productVersion === undefined ? {} : { version: productVersion }) },
    },
  };
  const idOf = (key: string) => entryId(id, key);
  let timestamp = header.timestamp;
  const entries: AnyEntry[] = steps.map(({ key, parentKey, timestampMs, body }) => {
    if (timestampMs !== undefined) timestamp = isoTime(timestampMs);
    const place = { id: idOf(key), parentId: parentKey === null ? null : idOf(parentKey), timestamp };
    return entryOf(body, place, pricesOf);
  });
  const last = entries.at(-1);
  if (name !== undefined && last !== undefined) {
    const named = { id: idOf("name"), parentId: last.id, timestamp: last.timestamp };
    entries.push({ type: "session_info", ...named, name });
  }
  return { header, entries };
}

type EntryPlace = Pick<SessionEntry, "id" | "parentId" | "timestamp">;

function entryOf(
  body: ForeignBody,
  place: EntryPlace,
  pricesOf: ForeignSessionOptions["pricesOf"],
): SessionEntry {
  if (body.type === "compaction") {
    const { type, summary, tokensBefore } = body;
    return { type, ...place, summary, tokensBefore, firstKeptEntryId: place.id };
  }
  if (body.type === "custom_message") return { ...body, ...place, display: false };
  const { type, message, counts } = body;
  if (message.role !== "assistant" || counts === undefined) return { type, ...place, message };
  const usage = usageOf(counts, pricesOf?.(message.provider, message.model));
  return { type, ...place, message: { ...message, usage } };
}

function usageOf(counts: TokenCounts, cost: Model["cost"] | undefined) {
  return usageWithCost(counts, { cost: cost ?? ZERO_COST });
}

function entryId(sessionId: string, key: string): string {
  return createHash("sha256").update(`${sessionId}\n${key}`).digest("hex").slice(0, ENTRY_ID_CHARACTERS);
}

/** Times beyond what a date can hold are the earliest one. */
function isoTime(ms: number): string {
  const date = new Date(ms);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
