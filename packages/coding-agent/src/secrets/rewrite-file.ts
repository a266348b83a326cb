import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, copyFile, type FileHandle, open, rm } from "node:fs/promises";
import { CodingAgentError } from "../errors.ts";

export interface Rewrite {
  /** One line for another, both without LF. */
  readonly change: (line: string) => string | Promise<string>;
  /** Runs when everything has been read and nothing stands under the new name yet. */
  readonly beforeEnd?: () => Promise<void>;
}

const PRIVATE_FILE = 0o600;
const NAME_BYTES = 8;

/**
 * Writes a file anew, line by line, under a name that is free, for its owner alone. Leaves nothing behind when it fails.
 *
 * Throws `file_exists`.
 */
export async function rewriteFile(
  source: string,
  target: string,
  { change, beforeEnd }: Rewrite,
): Promise<void> {
  const aside = `${target}.${randomBytes(NAME_BYTES).toString("hex")}.tmp`;
  const file = await open(aside, "wx", PRIVATE_FILE);
  try {
    await writeLines(source, file, change);
    await file.close();
    await beforeEnd?.();
    await copyFile(aside, target, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
      throw new CodingAgentError({
        code: "file_exists",
        message: `${target} is there already.`,
        data: { path: target },
        cause: error,
      });
    });
  } finally {
    await file.close().catch(() => {});
    await rm(aside, { force: true });
  }
}

async function writeLines(source: string, file: FileHandle, change: Rewrite["change"]): Promise<void> {
  for await (const line of linesOf(source)) await file.write(`${await change(line)}\n`);
}

/** Lines end at line feeds alone: JSON may hold the separators that `node:readline` takes for ends as well. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of createReadStream(path, "utf8")) {
    const pieces = String(chunk).split("\n");
    for (const piece of pieces.slice(0, -1)) {
      yield [...parts, piece].join("");
      parts = [];
    }
    parts.push(pieces.at(-1) ?? "");
  }
  const last = parts.join("");
  if (last !== "") yield last;
}
