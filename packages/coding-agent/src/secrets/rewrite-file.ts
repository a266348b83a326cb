import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, copyFile, type FileHandle, link, lstat, open, rm } from "node:fs/promises";
import { CodingAgentError } from "../errors.ts";

export interface Rewrite {
  /** One line for another, both without LF. One that stays keeps its bytes, also such as are no UTF-8. */
  readonly change: (line: string) => string | Promise<string>;
  /** Runs when everything has been read and nothing stands under the new name yet. */
  readonly beforeEnd?: () => Promise<void>;
}

const PRIVATE_FILE = 0o600;
const NAME_BYTES = 8;
const LF = 10;

/**
 * Writes a file anew, line by line, under a name that is free, for its owner alone. On disk before it has its name; leaves
 * nothing behind when it fails.
 *
 * Throws `file_exists`, before anything is read where the name is taken from the start.
 */
export async function rewriteFile(
  source: string,
  target: string,
  { change, beforeEnd }: Rewrite,
): Promise<void> {
  await requireFree(target);
  const aside = `${target}.${randomBytes(NAME_BYTES).toString("hex")}.tmp`;
  const file = await open(aside, "wx", PRIVATE_FILE);
  try {
    await writeLines(source, file, change);
    await file.sync();
    await file.close();
    await beforeEnd?.();
    await giveName(aside, target);
  } finally {
    await file.close().catch(() => {});
    await rm(aside, { force: true });
  }
}

async function requireFree(target: string): Promise<void> {
  const isTaken = await lstat(target).then(
    () => true,
    () => false,
  );
  if (isTaken) throw taken(target);
}

/** Where the file system knows no second names, a copy gets it. */
async function giveName(aside: string, target: string): Promise<void> {
  try {
    await link(aside, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      return copyFile(aside, target, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? taken(target, error) : error;
  }
}

function taken(target: string, cause?: unknown): CodingAgentError {
  const message = `${target} is there already.`;
  return new CodingAgentError({ code: "file_exists", message, data: { path: target }, cause });
}

async function writeLines(source: string, file: FileHandle, change: Rewrite["change"]): Promise<void> {
  for await (const bytes of linesOf(source)) {
    const line = bytes.toString("utf8");
    const written = await change(line);
    // Unlike `write` it goes on until all of it is written, or rejects.
    await file.appendFile(Buffer.concat([written === line ? bytes : Buffer.from(written), Buffer.of(LF)]));
  }
}

/** Lines end at line feeds alone: JSON may hold the separators that `node:readline` takes for ends as well. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let begin = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, begin)) {
      yield Buffer.concat([...parts, chunk.subarray(begin, at)]);
      parts = [];
      begin = at + 1;
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
