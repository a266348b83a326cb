import type { Session } from "@coppice/session";
import type { OperationGate } from "./operation-gate.ts";
import type { PendingWrites } from "./pending-writes.ts";

export interface AppendEntryOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly gate: OperationGate;
}

/**
 * Stores a `custom` entry: at once while idle, with the next write of what runs, and before the first prompt with it.
 *
 * A compaction or a move must not find the session elsewhere, so that an entry made during one waits for its end.
 */
export function appendCustomEntry({ session, writes, gate }: AppendEntryOptions) {
  return async (customType: string, data: unknown): Promise<void> => {
    const isFree = gate.current === undefined && session.getLeafId() !== null;
    writes.add({ type: "custom", customType, ...(data === undefined ? {} : { data }) });
    if (isFree) await writes.flushOrThrow();
  };
}
