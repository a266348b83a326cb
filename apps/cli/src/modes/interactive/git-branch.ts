import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

const DETACHED_ID_CHARACTERS = 8;

/** The branch that is checked out at `directory`, or the short commit id when none is; undefined outside of a repository. */
export async function gitBranch(directory: string): Promise<string | undefined> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const head = await readHead(join(folder, ".git"));
    if (head !== undefined) return head === "" ? undefined : head;
    if (folder === dirname(folder)) return undefined;
  }
}

/** `.git` is a folder, or in worktrees and submodules a file that names one. */
async function readHead(place: string): Promise<string | undefined> {
  const head = (await text(join(place, "HEAD"))) ?? (await headOfLink(place));
  if (head === undefined) return undefined;
  // A repository with reftables has this in place of its head, for programs that only know files.
  if (head === "ref: refs/heads/.invalid") return "";
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, DETACHED_ID_CHARACTERS);
}

async function headOfLink(place: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)$/.exec((await text(place)) ?? "")?.[1];
  return target === undefined ? undefined : text(join(resolve(dirname(place), target), "HEAD"));
}

async function text(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").then(
    (content) => content.trim(),
    () => undefined,
  );
}
