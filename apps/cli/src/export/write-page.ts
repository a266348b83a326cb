import { randomBytes } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { CliError } from "../cli-error.ts";
import { PAGE_MARK } from "./html-page.ts";

/** What a person said to somebody is nobody else's to read. */
const PRIVATE = 0o600;

/**
 * Writes a page, as a whole or not at all. Replaces an earlier export; anything else that is there stays.
 *
 * Throws `CliError` `file_exists`, or `cannot_write` where no file can be made.
 */
export async function writePage(path: string, html: string): Promise<void> {
  try {
    await replace(path, html);
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw error;
    throw new CliError("cannot_write", `${path} cannot be written: ${reason}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder is not there",
  ENOTDIR: "its folder is a file",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "nothing can be written there",
  ENOSPC: "the disk is full",
};

async function replace(path: string, html: string): Promise<void> {
  if (!(await isFree(path))) throw new CliError("file_exists", `${path} is there already and is no export`);
  const aside = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(aside, html, { mode: PRIVATE, flag: "wx" });
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** True where nothing is, or an export. */
async function isFree(path: string): Promise<boolean> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return true;
  try {
    const start = Buffer.alloc(PAGE_MARK.length);
    const { bytesRead } = await file.read(start, 0, start.length, 0).catch(() => ({ bytesRead: 0 }));
    return start.toString("latin1", 0, bytesRead) === PAGE_MARK;
  } finally {
    await file.close();
  }
}
