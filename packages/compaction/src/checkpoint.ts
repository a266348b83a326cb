import { type AnyEntry, type Checkpoint, type FileLists, isEntry } from "@coppice/session";

/** What continuing after a compaction needs from before it. `path` runs root → position. */
export function checkpointOf(path: readonly AnyEntry[], files: FileLists): Checkpoint {
  const checkpoint: { -readonly [Key in keyof Checkpoint]: Checkpoint[Key] } = {};
  for (const entry of path) {
    if (isEntry(entry, "compaction")) Object.assign(checkpoint, entry.checkpoint);
    if (isEntry(entry, "model_change")) {
      checkpoint.model = { provider: entry.provider, modelId: entry.modelId };
    }
    if (isEntry(entry, "message") && entry.message.role === "assistant") {
      checkpoint.model = { provider: entry.message.provider, modelId: entry.message.model };
    }
    if (isEntry(entry, "thinking_level_change")) checkpoint.thinkingLevel = entry.thinkingLevel;
    if (isEntry(entry, "active_tools_change")) checkpoint.activeToolNames = entry.activeToolNames;
    if (isEntry(entry, "session_info")) {
      if (entry.name === undefined || entry.name === "") delete checkpoint.sessionName;
      else checkpoint.sessionName = entry.name;
    }
  }
  return { ...checkpoint, files };
}
