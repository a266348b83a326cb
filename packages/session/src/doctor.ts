import { basename } from "node:path";
import { encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import type { SessionDiagnostic } from "./diagnostic.ts";
import { type AnyEntry, SESSION_VERSION, type SessionHeader } from "./entry.ts";
import { ioError, isSessionError, SessionError } from "./errors.ts";
import { readHeader } from "./jsonl-header.ts";
import { readWholeJsonl } from "./jsonl-page.ts";
import { nodeSessionFiles } from "./node-session-files.ts";
import type { SessionFile, SessionFiles } from "./session-files.ts";
import type { StoredPage } from "./storage.ts";
import { EntryTree } from "./tree.ts";
import { writeAside } from "./write-aside.ts";

/** What is wrong with a session file. */
export interface SessionReport {
  readonly path: string;
  /** The header; made up from the file's name and first entry where the file has none. */
  readonly header: SessionHeader;
  readonly isHeaderReadable: boolean;
  readonly entryCount: number;
  /** Unreadable byte ranges, missing parents, duplicate ids, circles, navigation to nowhere. */
  readonly problems: readonly SessionDiagnostic[];
}

interface Examined extends SessionReport {
  readonly tree: EntryTree;
}

/** Reads a session file in full and says what is wrong with it. Changes nothing. */
export async function examineSession(
  path: string,
  files: SessionFiles = nodeSessionFiles,
): Promise<SessionReport> {
  const { tree: _, ...report } = await examine(path, files);
  return report;
}

/**
 * Writes a repaired copy beside a session file and resolves with its path, `<path>.repaired`; the original stays.
 *
 * Every readable entry is kept; links that lead nowhere or in a circle lead where reading bridges them to.
 */
export async function repairSession(path: string, files: SessionFiles = nodeSessionFiles): Promise<string> {
  const { header, tree } = await examine(path, files);
  const target = `${path}.repaired`;
  const entries = tree.entries.map((entry) => encodeEntry(withSoundLink(entry, tree)));
  const text = encodeHeader({ ...header, version: SESSION_VERSION }) + entries.join("");
  try {
    await writeAside(files, target, text, "new");
    return target;
  } catch (error) {
    throw ioError("Cannot write", target, error);
  }
}

function withSoundLink(entry: AnyEntry, tree: EntryTree): AnyEntry {
  return tree.hasGapBefore(entry) ? ({ ...entry, parentId: tree.parentOf(entry) } as AnyEntry) : entry;
}

async function examine(path: string, files: SessionFiles): Promise<Examined> {
  let file: SessionFile | undefined;
  try {
    file = await files.open(path, "read");
    const found = await readHeader(file, path).catch((error: unknown) => {
      if (isSessionError(error, "not_a_session")) return undefined;
      throw error;
    });
    const assumed = found?.header ?? newHeader({ id: "", timestamp: "", cwd: "" });
    const page = await readWholeJsonl({ file, header: assumed, headerEnd: found?.end ?? 0 });
    const tree = treeOf(page);
    return {
      path,
      header: found?.header ?? headerFor(path, tree),
      isHeaderReadable: found !== undefined,
      entryCount: tree.entries.length,
      problems: [...page.diagnostics, ...tree.diagnostics].filter(({ code }) => code !== "migrated"),
      tree,
    };
  } catch (error) {
    throw ioError("Cannot examine", path, error);
  } finally {
    await file?.close();
  }
}

function treeOf(page: StoredPage): EntryTree {
  const tree = new EntryTree();
  for (const item of page.items) {
    if (item.kind === "entry") tree.add(item.entry);
    else tree.addDamage(item.damage);
  }
  return tree;
}

/** File names are `<timestamp>_<id>.jsonl`. The working directory cannot be known. */
function headerFor(path: string, tree: EntryTree): SessionHeader {
  const first = tree.entries[0];
  if (first === undefined) {
    throw new SessionError({
      code: "not_a_session",
      message: `${path} has neither a session header nor an entry.`,
      data: { path },
    });
  }
  const name = basename(path).replace(/\.jsonl$/, "");
  const id = name.slice(name.indexOf("_") + 1);
  return newHeader({ id, timestamp: first.timestamp, cwd: "" });
}
