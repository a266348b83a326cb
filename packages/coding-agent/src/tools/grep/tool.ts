import { join } from "node:path";
import type { AgentTool, ToolResult } from "@coppice/agent";
import { type Static, Type } from "typebox";
import type { Environment } from "../../env/environment.ts";
import { takeLines } from "../../text/truncate.ts";
import { FileLedger } from "../file-ledger.ts";
import { brokenNamesNotice } from "../quoted-path.ts";
import { readGlob } from "../search/read-glob.ts";
import { resolveScope } from "../search/search-scope.ts";
import { errorCode, ToolError, textResult } from "../tool-error.ts";
import { OUTPUT_LIMITS, type ToolOptions } from "../tool-options.ts";
import { GREP_DESCRIPTION } from "./description.ts";
import type { GrepLine, GrepRequest } from "./match.ts";
import { searchPlainly } from "./plain-search.ts";
import { searchWithRipgrep } from "./ripgrep-search.ts";

const DEFAULT_LIMIT = 100;
const MAX_CONTEXT_LINES = 50;

const parameters = Type.Object({
  pattern: Type.String({ description: "Regular expression, or plain text with literal" }),
  path: Type.Optional(Type.String({ description: "File or directory; default: the working directory" })),
  glob: Type.Optional(Type.String({ description: "Only files that match, relative to path, e.g. *.ts" })),
  ignoreCase: Type.Optional(Type.Boolean()),
  literal: Type.Optional(Type.Boolean({ description: "Take the pattern as plain text" })),
  context: Type.Optional(Type.Integer({ description: "Lines to show around each match" })),
  limit: Type.Optional(Type.Integer({ description: `Matches at most; default ${DEFAULT_LIMIT}` })),
});

export type GrepParameters = Static<typeof parameters>;

export interface GrepDetails {
  /** Set when more lines match than were shown: the limit. */
  readonly matchLimitReached?: number;
  /** Long lines were cut. */
  readonly linesTruncated?: boolean;
}

/** Searches file contents; matches are sorted by path and line. */
export function createGrepTool(options: ToolOptions): AgentTool<typeof parameters, GrepDetails> {
  const ledger = options.ledger ?? new FileLedger(options.environment.files);
  return {
    name: "grep",
    label: "Grep",
    description: GREP_DESCRIPTION,
    parameters,
    execute: (_toolCallId, params: GrepParameters, signal) =>
      ledger.queue.survey(() => grep(params, signal, options)),
  };
}

async function grep(
  params: GrepParameters,
  signal: AbortSignal,
  options: ToolOptions,
): Promise<ToolResult<GrepDetails>> {
  if (params.pattern === "") throw new ToolError("The pattern is empty.");
  if (params.glob !== undefined) readGlob(params.glob);
  const { folder, fileName, show } = await resolveScope(params.path, options);
  const limit = Math.max(1, params.limit ?? DEFAULT_LIMIT);
  const lines: GrepLine[] = [];
  const closed = new ClosedFiles(await options.environment.files.realPath(folder), options.mayRead);
  let matches = 0;
  const onLine = (line: GrepLine): boolean => {
    if (closed.has(line.path)) return true;
    if (line.isMatch) matches++;
    if (matches <= limit) lines.push(line);
    return matches <= limit;
  };
  await search({
    request: {
      pattern: params.pattern,
      isLiteral: params.literal ?? false,
      ignoreCase: params.ignoreCase ?? false,
      contextLines: Math.min(Math.max(0, params.context ?? 0), MAX_CONTEXT_LINES),
      folder,
      fileName,
      glob: params.glob,
      signal,
      onLine,
    },
    environment: options.environment,
  });
  return present(lines, { limit, hasMore: matches > limit, hasClosed: closed.count > 0, show });
}

async function search(input: {
  readonly request: GrepRequest;
  readonly environment: Environment;
}): Promise<void> {
  const { request, environment } = input;
  request.signal.throwIfAborted();
  if (environment.ripgrep !== undefined) {
    try {
      return await searchWithRipgrep(request, environment.ripgrep);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
  return searchPlainly(request, environment.files);
}

/** Files that a search may not show. */
class ClosedFiles {
  readonly #folder: string;
  readonly #mayRead: ((path: string) => boolean) | undefined;
  readonly #known = new Map<string, boolean>();
  count = 0;

  constructor(folder: string, mayRead: ((path: string) => boolean) | undefined) {
    this.#folder = folder;
    this.#mayRead = mayRead;
  }

  /** `path` is relative to the searched folder; links are not followed by searches. */
  has(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined || this.#mayRead === undefined) return known ?? false;
    const isClosed = !this.#mayRead(join(this.#folder, path));
    this.#known.set(path, isClosed);
    if (isClosed) this.count++;
    return isClosed;
  }
}

interface Presentation {
  readonly limit: number;
  readonly hasMore: boolean;
  /** Matches were left out because of the permissions. */
  readonly hasClosed: boolean;
  readonly show: (path: string) => string;
}

function present(
  lines: readonly GrepLine[],
  { limit, hasMore, hasClosed, show }: Presentation,
): ToolResult<GrepDetails> {
  const closedNotice = hasClosed ? ["[Matches in files that may not be read are left out.]"] : [];
  if (lines.length === 0) {
    const nothing = "No matches (ignored files and .git are not searched).";
    return textResult([nothing, ...closedNotice].join("\n"), {});
  }
  const hasContext = lines.some((line) => !line.isMatch);
  const rows = lines.flatMap((line, index) => {
    const mark = line.isMatch ? ":" : "-";
    const row = `${show(line.path)}${mark}${line.line}${mark}${line.text}`;
    return hasContext && isGap(lines[index - 1], line) ? ["--", row] : [row];
  });
  const shown = takeLines(rows, OUTPUT_LIMITS);
  const linesTruncated = lines.some((line) => line.isCut);
  const brokenNames = brokenNamesNotice(lines.map(({ path }) => path));
  const notices = [
    ...(brokenNames === undefined ? [] : [brokenNames]),
    ...closedNotice,
    ...(hasMore
      ? [
          `[${limit === 1 ? "1 match" : `${limit} matches`} shown, there are more. Use a higher limit or a narrower pattern.]`,
        ]
      : []),
    ...(shown.length < rows.length ? [`[First ${shown.length} of ${rows.length} lines shown (50 KB).]`] : []),
  ];
  return textResult([shown.join("\n"), ...(notices.length > 0 ? [notices.join("\n")] : [])].join("\n\n"), {
    ...(hasMore ? { matchLimitReached: limit } : {}),
    ...(linesTruncated ? { linesTruncated } : {}),
  });
}

/** Groups of lines with context are set apart, as grep does. */
function isGap(before: GrepLine | undefined, line: GrepLine): boolean {
  return before !== undefined && (before.path !== line.path || before.line + 1 !== line.line);
}
