import { type AnyEntry, type Checkpoint, deriveSessionContextState, isEntry } from "@coppice/session";

export interface CheckpointInput {
  /** Root → position. */
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

function sessionNameOf(path: readonly AnyEntry[]): string | undefined {
  const named = path.findLast(
    (entry) =>
      isEntry(entry, "session_info") || (isEntry(entry, "compaction") && entry.checkpoint !== undefined),
  );
  if (named === undefined) return undefined;
  if (isEntry(named, "compaction")) return named.checkpoint?.sessionName;
  return isEntry(named, "session_info") ? named.name : undefined;
}
