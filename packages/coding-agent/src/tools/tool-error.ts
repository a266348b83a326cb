import type { ToolResult } from "@coppice/agent";

/** A failure that the model can read and act on; its message becomes the error result. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** A plain result of one text. */
export function textResult<Details>(text: string, details?: Details): ToolResult<Details> {
  return { content: [{ type: "text", text }], ...(details === undefined ? {} : { details }) };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EISDIR: "is a directory",
  ENOTDIR: "is not inside a directory",
  EACCES: "cannot be accessed: permission denied",
  EPERM: "cannot be accessed: operation not permitted",
  EROFS: "is on a read-only file system",
  ELOOP: "is a loop of symbolic links",
  ENAMETOOLONG: "is too long a name",
  ENOSPC: "cannot be written: no space left on the disk",
  EINVAL: "is not a regular file",
};

/** The Node-style code of an error, if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Turns an error of the file system into one sentence about `shownPath`; others pass as they are. */
export function toToolError(error: unknown, shownPath: string): unknown {
  const reason = REASONS[errorCode(error) ?? ""];
  return reason === undefined ? error : new ToolError(`${shownPath} ${reason}.`, { cause: error });
}
