import type { Environment } from "../env/environment.ts";
import type { FileTree } from "./file-tree.ts";
import { lazyTree } from "./lazy-tree.ts";

/** In larger trees, where files are asked for one by one, a look after every command would cost more than it tells. */
const MAX_FILES_ONE_BY_ONE = 5000;

/** The tree below a folder of an environment: its own, or one that is read file by file. */
export function createFileTree({
  cwd,
  environment,
}: {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Environment;
}): FileTree {
  const { files, openTree } = environment;
  const readOneByOne = async (): Promise<FileTree> => {
    const [{ IndexedTree }, { portReader }] = await Promise.all([
      import("./indexed-tree.ts"),
      import("./folder-reader.ts"),
    ]);
    const options = { root: cwd, files, reader: portReader(files), isWatched: false };
    return new IndexedTree({ ...options, maxFiles: MAX_FILES_ONE_BY_ONE });
  };
  return openTree?.(cwd) ?? lazyTree(readOneByOne);
}
