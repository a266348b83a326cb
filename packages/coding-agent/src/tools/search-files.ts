import type { FileSystem } from "../env/environment.ts";

/** Every file under `root`, sorted, as paths relative to it; `.git` is left out and links are not followed. */
export async function walkFiles(
  root: string,
  files: FileSystem,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  const visit = async (prefix: string): Promise<void> => {
    signal.throwIfAborted();
    const entries = await files.readDirectory(prefix === "" ? root : `${root}/${prefix}`);
    for (const { name, kind } of entries) {
      if (name === ".git") continue;
      const path = prefix === "" ? name : `${prefix}/${name}`;
      if (kind === "directory") await visit(path);
      else if (kind === "file") found.push(path);
    }
  };
  await visit("");
  return found.sort();
}
