import type { FileLists } from "@coppice/session";
import type { TokenEstimator } from "./estimate-text.ts";
import { oneLine } from "./file-operations.ts";

/** How much room file blocks have. */
export interface FileBlockLimit {
  readonly maxTokens: number;
  readonly estimator: TokenEstimator;
}

/** A line of a block and the number of files that it speaks of. */
interface Line {
  readonly text: string;
  readonly files: number;
}

/**
 * The `<read-files>` and `<modified-files>` blocks that end a summary; empty lists leave no block.
 *
 * With a limit, modified files come first. What has no room as whole paths stands by folder, then the largest folders
 * as a count, and only then lines are left out and counted: the whole lists stand in `details`.
 */
export function fileBlocks(files: FileLists, limit?: FileBlockLimit): string {
  const modified = block("modified-files", files.modifiedFiles, limit);
  const left = limit && {
    ...limit,
    maxTokens: limit.maxTokens - limit.estimator.estimateText(modified),
  };
  return [block("read-files", files.readFiles, left), modified].filter((text) => text !== "").join("\n\n");
}

function block(tag: string, paths: readonly string[], limit: FileBlockLimit | undefined): string {
  if (paths.length === 0) return "";
  const fits = (text: string) => limit === undefined || limit.estimator.estimateText(text) <= limit.maxTokens;
  const render = (lines: readonly Line[]) => {
    const missing = paths.length - lines.reduce((sum, line) => sum + line.files, 0);
    const texts = [...lines.map(({ text }) => text), ...(missing > 0 ? [`(${missing} more)`] : [])];
    return `<${tag}>\n${texts.join("\n")}\n</${tag}>`;
  };
  const whole = render(paths.map((path) => ({ text: oneLine(path), files: 1 })));
  if (fits(whole)) return whole;
  const folders = foldersOf(paths);
  let lines = linesOf(folders, 0);
  for (let counted = 1; !fits(render(lines)) && counted / 2 < folders.length; counted *= 2) {
    lines = linesOf(folders, Math.min(counted, folders.length));
  }
  while (lines.length > 0 && !fits(render(lines))) lines = lines.slice(0, Math.floor(lines.length * 0.8));
  const text = render(lines);
  return fits(text) ? text : "";
}

interface Folder {
  readonly name: string;
  readonly files: readonly string[];
}

/** Folders in the order of their first file. */
function foldersOf(paths: readonly string[]): readonly Folder[] {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const nameAt = path.lastIndexOf("/") + 1;
    const folder = path.slice(0, nameAt) || "./";
    const files = folders.get(folder) ?? [];
    files.push(path.slice(nameAt));
    folders.set(folder, files);
  }
  return [...folders].map(([name, files]) => ({ name, files }));
}

/** Each folder on a line with its files below it; of the `counted` largest only the number of files. */
function linesOf(folders: readonly Folder[], counted: number): readonly Line[] {
  const largest = folders.toSorted((a, b) => b.files.length - a.files.length).slice(0, counted);
  const isCounted = new Set(largest);
  return folders.flatMap((folder): readonly Line[] => {
    const name = oneLine(folder.name);
    if (isCounted.has(folder))
      return [{ text: `${name} (${folder.files.length} files)`, files: folder.files.length }];
    return [
      { text: name, files: 0 },
      ...folder.files.map((file) => ({ text: `  ${oneLine(file)}`, files: 1 })),
    ];
  });
}
