import type { AgentTool, ToolResult } from "@coppice/agent";
import { type Static, Type } from "typebox";
import type { FileInfo, FileSystem } from "../../env/environment.ts";
import { findPath } from "../existing-path.ts";
import { FileLedger } from "../file-ledger.ts";
import { brokenNamesNotice, quotedPath } from "../quoted-path.ts";
import { ToolError, textResult, toToolError } from "../tool-error.ts";
import type { ToolOptions } from "../tool-options.ts";
import { displayPath } from "../tool-path.ts";
import { LS_DESCRIPTION } from "./description.ts";

const DEFAULT_LIMIT = 500;

const parameters = Type.Object({
  path: Type.Optional(Type.String({ description: "Directory; default: the working directory" })),
  limit: Type.Optional(Type.Integer({ description: `Entries at most; default ${DEFAULT_LIMIT}` })),
});

export type LsParameters = Static<typeof parameters>;

export interface LsDetails {
  /** Set when more entries exist than were shown. */
  readonly entryLimitReached?: number;
}

/** Lists a directory, sorted by code point. */
export function createLsTool(options: ToolOptions): AgentTool<typeof parameters, LsDetails> {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  return {
    name: "ls",
    label: "List",
    description: LS_DESCRIPTION,
    parameters,
    execute: (_toolCallId, params: LsParameters, signal) =>
      ledger.queue.survey(() => list(params, signal, options)),
  };
}

async function list(
  params: LsParameters,
  signal: AbortSignal,
  options: ToolOptions,
): Promise<ToolResult<LsDetails>> {
  const { cwd, environment } = options;
  const path = await findPath(params.path ?? ".", options);
  const names = await listNames(path, environment.files, quotedPath(displayPath(path, cwd)));
  signal.throwIfAborted();
  const limit = Math.max(1, params.limit ?? DEFAULT_LIMIT);
  if (names.length === 0) return textResult("(empty directory)", {});
  const shown = names.slice(0, limit);
  const hidden = names.length - shown.length;
  const notices = [
    brokenNamesNotice(shown),
    hidden > 0 ? `[${hidden} of ${names.length} entries not shown. Use a larger limit or find.]` : undefined,
  ].filter((notice) => notice !== undefined);
  return textResult([...shown, ...notices].join("\n"), hidden > 0 ? { entryLimitReached: limit } : {});
}

async function listNames(path: string, files: FileSystem, shownPath: string): Promise<readonly string[]> {
  try {
    if ((await files.stat(path)).kind !== "directory")
      throw new ToolError(`${shownPath} is not a directory.`);
    const entries = await files.readDirectory(path);
    const names = await Promise.all(entries.map((entry) => nameWithMark(path, entry, files)));
    return names.sort().map(quotedPath);
  } catch (error) {
    throw toToolError(error, shownPath);
  }
}

async function nameWithMark(
  directory: string,
  entry: { readonly name: string; readonly kind: FileInfo["kind"] },
  files: FileSystem,
): Promise<string> {
  if (entry.kind === "directory") return `${entry.name}/`;
  if (entry.kind !== "symlink") return entry.name;
  const target = await files.stat(`${directory}/${entry.name}`).catch(() => undefined);
  return target?.kind === "directory" ? `${entry.name}/` : entry.name;
}
