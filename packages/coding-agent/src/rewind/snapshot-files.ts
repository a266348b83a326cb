import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hashOf } from "../tools/file-ledger.ts";
import type { FileChange } from "./file-state.ts";

/** A line of a journal: a change that begins, the state that it left, or a version that may be needed. */
export type JournalLine =
  | ({ readonly id: string } & Omit<FileChange, "after">)
  | { readonly id: string; readonly after: FileChange["after"] }
  | { readonly kept: string };

/** Where a version lies in a store. */
export function blobPath(directory: string, hash: string): string {
  return join(directory, "blobs", hash.slice(0, 2), hash);
}

/** Where a session's journal lies in a store; a session from elsewhere may have any id. */
export function journalPath(directory: string, sessionId: string): string {
  return join(directory, "journals", `${hashOf(new TextEncoder().encode(sessionId)).slice(0, 32)}.jsonl`);
}

/** Where files lie that a restoration took out of the project and that may be somebody else's. */
export function setAsidePath(directory: string): string {
  return join(directory, "set-aside");
}

/** The journals of all sessions; one for all of them is what earlier versions had. */
export async function journalPaths(directory: string): Promise<readonly string[]> {
  const folder = join(directory, "journals");
  const names = await readdir(folder).catch(() => []);
  return [join(directory, "journal.jsonl"), ...names.toSorted().map((name) => join(folder, name))];
}

/** The lines of a journal; torn and foreign ones are left out. */
export function journalLines(text: string): readonly JournalLine[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const value = JSON.parse(line) as JournalLine;
      const isLine =
        "kept" in value || (typeof value.id === "string" && ("path" in value || "after" in value));
      return isLine ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The changes that a journal tells of, in the order in which they began. */
export function changesOf(text: string): readonly FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const line of journalLines(text)) {
    if ("kept" in line) continue;
    const known = changes.get(line.id);
    if ("path" in line) changes.set(line.id, { ...line, after: "unknown" });
    else if (known !== undefined) changes.set(line.id, { ...known, after: line.after });
  }
  return [...changes.values()];
}
