import { findPath } from "./existing-path.ts";
import type { FileLedger } from "./file-ledger.ts";
import { quotedPath } from "./quoted-path.ts";
import { toToolError } from "./tool-error.ts";
import type { ToolOptions } from "./tool-options.ts";
import { displayPath } from "./tool-path.ts";

/** The file that a tool call works on. */
export interface ToolFile {
  readonly realPath: string;
  /** As the model sees it. */
  readonly shownPath: string;
}

export interface ToolFileRequest {
  /** As the model wrote it. */
  readonly path: string;
  /** A write is told to `options.changes` under the id of its call. */
  readonly access: "read" | { readonly writeOf: string };
  readonly signal: AbortSignal;
  readonly ledger: FileLedger;
  readonly options: ToolOptions;
}

/**
 * Runs a task on one file when the earlier calls that touch it are over. Call it before anything is awaited: that moment
 * is the call's place in the order.
 *
 * Errors of the file system become `ToolError`s.
 */
export async function onToolFile<Result>(
  { path, access, signal, ledger, options }: ToolFileRequest,
  task: (file: ToolFile) => Promise<Result>,
): Promise<Result> {
  let shownPath = path;
  const locate = async (): Promise<string> => {
    const found = await findPath(path, options);
    shownPath = quotedPath(displayPath(found, options.cwd));
    return found;
  };
  try {
    return await ledger.queue[access === "read" ? "read" : "write"](locate, async (realPath) => {
      signal.throwIfAborted();
      const work = () => task({ realPath, shownPath });
      if (access === "read" || options.changes === undefined) return work();
      return options.changes.aroundWrite({ toolCallId: access.writeOf, path: realPath }, work);
    });
  } catch (error) {
    throw toToolError(error, shownPath);
  }
}
