import { addUsage, toolCallsOf, type Usage, ZERO_USAGE } from "@coppice/ai";
import { type AnyEntry, isEntry, type Session } from "@coppice/session";

/** Totals of a whole session: every branch, failed attempts, summaries and tools included. */
export interface SessionStats {
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly toolCalls: number;
  readonly compactions: number;
  readonly usage: Usage;
}

const NO_STATS: SessionStats = {
  ...{ userMessages: 0, assistantMessages: 0, toolCalls: 0, compactions: 0 },
  usage: ZERO_USAGE,
};

/** Counts a session's entries. What was paid for counts, whether or not it still is in the context. */
export function sessionStats(entries: readonly AnyEntry[]): SessionStats {
  return entries.reduce(addEntry, NO_STATS);
}

/** Entries that are in memory at once while a session is counted. */
const CHUNK_ENTRIES = 500;

/** Counts a session's entries once and then only what is new, so that asking often costs nothing. */
export class RunningStats {
  readonly #session: Pick<Session, "getEntriesFrom">;
  #stats = NO_STATS;
  #counted = 0;
  #counting: Promise<unknown> = Promise.resolve();

  constructor(session: Pick<Session, "getEntriesFrom">) {
    this.#session = session;
  }

  stats(): Promise<SessionStats> {
    // One after the other, or entries would count twice.
    const stats = this.#counting.then(() => this.#count());
    this.#counting = stats.catch(() => undefined);
    return stats;
  }

  async #count(): Promise<SessionStats> {
    for (;;) {
      const entries = await this.#session.getEntriesFrom(this.#counted, CHUNK_ENTRIES);
      this.#stats = entries.reduce(addEntry, this.#stats);
      this.#counted += entries.length;
      if (entries.length < CHUNK_ENTRIES) return this.#stats;
    }
  }
}

function addEntry(stats: SessionStats, entry: AnyEntry): SessionStats {
  const usage = usageOf(entry);
  const total = usage?.cost === undefined ? stats.usage : addUsage(stats.usage, usage);
  if (isEntry(entry, "compaction")) return { ...stats, compactions: stats.compactions + 1, usage: total };
  if (!isEntry(entry, "message")) return { ...stats, usage: total };
  const { message } = entry;
  return {
    ...stats,
    userMessages: stats.userMessages + (message.role === "user" ? 1 : 0),
    assistantMessages: stats.assistantMessages + (message.role === "assistant" ? 1 : 0),
    toolCalls:
      stats.toolCalls +
      (message.role === "assistant" && Array.isArray(message.content) ? toolCallsOf(message).length : 0),
    usage: total,
  };
}

function usageOf(entry: AnyEntry): Usage | undefined {
  if (isEntry(entry, "message")) return "usage" in entry.message ? entry.message.usage : undefined;
  if (isEntry(entry, "compaction") || isEntry(entry, "branch_summary") || isEntry(entry, "usage")) {
    return entry.usage;
  }
  return undefined;
}
