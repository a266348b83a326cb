import type { AgentTool, ToolResult } from "@coppice/agent";
import { type Static, Type } from "typebox";
import { type Truncation, takeLines } from "../../text/truncate.ts";
import { FileLedger } from "../file-ledger.ts";
import { brokenNamesNotice } from "../quoted-path.ts";
import { readGlob } from "../search/read-glob.ts";
import { resolveScope } from "../search/search-scope.ts";
import { ToolError, textResult } from "../tool-error.ts";
import { OUTPUT_LIMITS, type ToolOptions } from "../tool-options.ts";
import { FIND_DESCRIPTION } from "./description.ts";
import { findFiles } from "./find-files.ts";

const DEFAULT_LIMIT = 1000;

const parameters = Type.Object({
  pattern: Type.String({ description: "Glob, relative to path" }),
  path: Type.Optional(Type.String({ description: "Directory; default: the working directory" })),
  limit: Type.Optional(Type.Integer({ description: `Results at most; default ${DEFAULT_LIMIT}` })),
});

export type FindParameters = Static<typeof parameters>;

export interface FindDetails {
  /** Set when more match than were shown: the limit. */
  readonly resultLimitReached?: number;
  readonly truncation?: Truncation;
}

/** Finds files and folders by name, sorted; folders end in `/`. Empty folders are not seen. */
export function createFindTool(options: ToolOptions): AgentTool<typeof parameters, FindDetails> {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  return {
    name: "find",
    label: "Find",
    description: FIND_DESCRIPTION,
    parameters,
    execute: (_toolCallId, params: FindParameters, signal) =>
      ledger.queue.survey(() => find(params, signal, options)),
  };
}

async function find(
  params: FindParameters,
  signal: AbortSignal,
  options: ToolOptions,
): Promise<ToolResult<FindDetails>> {
  const scope = await resolveScope(params.path, options);
  if (scope.fileName !== undefined) throw new ToolError(`${scope.shownPath} is not a directory.`);
  const matches = readGlob(requirePattern(params.pattern));
  const found = new Set<string>();
  const folders = new Set<string>();
  const onFile = (path: string): void => {
    if (matches(path)) found.add(path);
    for (let end = path.lastIndexOf("/"); end !== -1; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
      if (matches(folder)) found.add(`${folder}/`);
      if (end === 0) break;
    }
  };
  const { environment } = options;
  await findFiles({ folder: scope.folder, environment, signal, onFile });
  return present([...found].sort(), Math.max(1, params.limit ?? DEFAULT_LIMIT), scope.show);
}

function requirePattern(pattern: string): string {
  if (pattern.trim() === "") throw new ToolError("The pattern is empty. Use * for all files.");
  return pattern;
}

function present(
  found: readonly string[],
  limit: number,
  show: (path: string) => string,
): ToolResult<FindDetails> {
  if (found.length === 0) return textResult("No files found (ignored files and .git are not searched).", {});
  const lines = found.slice(0, limit).map(show);
  const shown = takeLines(lines, OUTPUT_LIMITS);
  const isCut = shown.length < found.length;
  const notices = [
    brokenNamesNotice(shown),
    isCut ? `[${shown.length} of ${found.length} results shown. Use a narrower pattern or path.]` : undefined,
  ].filter((notice) => notice !== undefined);
  const text = [shown.join("\n"), ...(notices.length > 0 ? [notices.join("\n")] : [])].join("\n\n");
  return textResult(text, isCut && shown.length === limit ? { resultLimitReached: limit } : {});
}
