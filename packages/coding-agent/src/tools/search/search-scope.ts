import { dirname } from "node:path";
import { findPath } from "../existing-path.ts";
import { quotedPath } from "../quoted-path.ts";
import { ToolError, toToolError } from "../tool-error.ts";
import type { ToolOptions } from "../tool-options.ts";
import { displayPath } from "../tool-path.ts";

/** Where a search looks: a folder, or one file in it. */
export interface SearchScope {
  /** Absolute. */
  readonly folder: string;
  /** Name of the only file to search. */
  readonly fileName: string | undefined;
  readonly shownPath: string;
  /** A path relative to `folder` as the model sees it, and can pass back; a `/` at its end stays. */
  show(path: string): string;
}

/** Throws `ToolError` when `path` is neither a folder nor a file. */
export async function resolveScope(path: string | undefined, options: ToolOptions): Promise<SearchScope> {
  const absolute = await findPath(path ?? ".", options);
  const shownPath = quotedPath(displayPath(absolute, options.cwd));
  const kind = await options.environment.files.stat(absolute).then(
    (info) => info.kind,
    (error: unknown) => {
      throw toToolError(error, shownPath);
    },
  );
  if (kind !== "directory" && kind !== "file")
    throw new ToolError(`${shownPath} is neither a file nor a directory.`);
  const folder = kind === "directory" ? absolute : dirname(absolute);
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return {
    folder,
    fileName: kind === "directory" ? undefined : absolute.slice(prefix.length),
    shownPath,
    show: (relative) =>
      quotedPath(displayPath(prefix + relative, options.cwd) + (relative.endsWith("/") ? "/" : "")),
  };
}
