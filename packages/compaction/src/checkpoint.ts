import { type AnyEntry, type Checkpoint, deriveSessionContextState, isEntry } from "@coppice/session";

export interface CheckpointInput {
  /** From `entriesOfState`, or the whole path. */
  readonly path: readonly AnyEntry[];
  readonly sessionName?: string;
}

/** What continuing after a compaction needs from before it: the state in force, the name, and what is handed in. */
export function checkpointOf(
  { path, sessionName = sessionNameOf(path) }: CheckpointInput,
  own: Pick<Checkpoint, "files" | "pins">,
): Checkpoint {
  const { model, thinkingLevel, activeToolNames } = deriveSessionContextState(path);
  return {
    ...(own.files === undefined ? {} : { files: own.files }),
    ...(own.pins === undefined || own.pins.length === 0 ? {} : { pins: own.pins }),
    ...(model === undefined ? {} : { model }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(activeToolNames === undefined ? {} : { activeToolNames }),
    ...(sessionName === undefined || sessionName === "" ? {} : { sessionName }),
  };
}

/**
 * What of a path (root → position) decides about its state: all that is no message, and of the messages the newest answer
 * that names a model and the newest that reports a level, since each replaces what earlier ones said. Order is kept.
 */
export function entriesOfState(path: readonly AnyEntry[]): readonly AnyEntry[] {
  const found: AnyEntry[] = [];
  let isModelFound = false;
  let isLevelFound = false;
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index] as AnyEntry;
    if (entry.type !== "message") found.push(entry);
    else if (
      !(isModelFound && isLevelFound) &&
      isEntry(entry, "message") &&
      entry.message.role === "assistant"
    ) {
      const { provider, model, thinkingLevel } = entry.message;
      const namesModel = typeof provider === "string" && typeof model === "string";
      const reportsLevel = thinkingLevel !== undefined;
      if ((namesModel && !isModelFound) || (reportsLevel && !isLevelFound)) found.push(entry);
      isModelFound ||= namesModel;
      isLevelFound ||= reportsLevel;
    }
  }
  return found.reverse();
}

function sessionNameOf(path: readonly AnyEntry[]): string | undefined {
  const named = path.findLast(
    (entry) =>
      isEntry(entry, "session_info") || (isEntry(entry, "compaction") && entry.checkpoint !== undefined),
  );
  if (named === undefined) return undefined;
  if (isEntry(named, "compaction")) return named.checkpoint?.sessionName;
  return isEntry(named, "session_info") ? named.name : undefined;
}
