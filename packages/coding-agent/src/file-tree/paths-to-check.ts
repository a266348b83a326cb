import type { FileStamp } from "./file-stamp.ts";
import type { GitTracked } from "./git-tracked.ts";

export interface PathsToCheckOptions {
  /** Folder → its files by name. */
  readonly folders: ReadonlyMap<string, { readonly files: ReadonlyMap<string, FileStamp> }>;
  readonly git: Pick<GitTracked, "visit" | "isClean">;
}

/**
 * The files of all folders but those that hold nothing else than what git keeps. In a clean tree of tens of thousands of
 * files that leaves out nearly all of them without asking for each by its path.
 */
export function pathsToCheck({ folders, git }: PathsToCheckOptions): Set<string> {
  const cleanCounts = countClean({ folders, git });
  const paths = new Set<string>();
  for (const [folder, { files }] of folders) {
    if (cleanCounts.get(folder) === files.size) continue;
    for (const name of files.keys()) paths.add(folder === "" ? name : `${folder}/${name}`);
  }
  return paths;
}

/** How many files of each folder are as git keeps them. Paths come folder by folder, mostly. */
function countClean({ folders, git }: PathsToCheckOptions): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let [folder, count] = ["", 0];
  let files = folders.get(folder)?.files;
  let highest = "";
  const endFolder = () => counts.set(folder, (counts.get(folder) ?? 0) + count);
  git.visit((path, entry) => {
    const slash = path.lastIndexOf("/");
    const length = Math.max(slash, 0);
    if (length !== folder.length || !path.startsWith(folder)) {
      endFolder();
      [folder, count] = [path.slice(0, length), 0];
      files = folders.get(folder)?.files;
    }
    // Sorted, as git writes them, none comes twice; one that is out of order does not count.
    if (path <= highest) return;
    highest = path;
    const stamp = files?.get(path.slice(slash + 1));
    if (stamp !== undefined && git.isClean(entry, stamp)) count++;
  });
  endFolder();
  return counts;
}
