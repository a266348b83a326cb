import { dirname, join, relative, sep } from "node:path";
import { type IgnoreFile, parseIgnoreFile } from "../tools/search/ignore-rules.ts";
import type { FolderReader } from "./folder-reader.ts";

export interface OuterRulesOptions {
  /** Absolute folder whose files are asked about. */
  readonly root: string;
  readonly reader: FolderReader;
  /** Whose git configuration counts; absent: nobody's. */
  readonly homeDirectory?: string | undefined;
}

/**
 * What git leaves out of a folder by files that lie outside of it: the user's own, the repository's `info/exclude`, and the
 * `.gitignore` of each folder above it, up to the root of the repository. In the order of their weight.
 */
export async function outerRules(options: OuterRulesOptions): Promise<readonly IgnoreFile[]> {
  const { root, reader } = options;
  const above: IgnoreFile[] = [];
  const own = await usersRules(options);
  for (let folder = root; ; folder = dirname(folder)) {
    const names = (await reader.entries(folder)) ?? [];
    const rootBelow = relative(folder, root).split(sep).join("/");
    const rulesIn = async (path: string): Promise<void> => {
      const file = parseIgnoreFile(await reader.text(join(folder, path)), "");
      if (file.rules.length > 0) above.unshift({ ...file, ...(folder === root ? {} : { rootBelow }) });
    };
    if (folder !== root && names.some(({ name }) => name === ".gitignore")) await rulesIn(".gitignore");
    if (names.some(({ name }) => name === ".git")) {
      await rulesIn(".git/info/exclude");
      break;
    }
    if (dirname(folder) === folder) break;
  }
  return own === undefined ? above : [own, ...above];
}

/** Source: git-config(1), `core.excludesFile` (2026-11). */
async function usersRules({ homeDirectory, reader }: OuterRulesOptions): Promise<IgnoreFile | undefined> {
  if (homeDirectory === undefined) return undefined;
  const settings = await Promise.all(
    [".config/git/config", ".gitconfig"].map((name) => reader.text(join(homeDirectory, name))),
  );
  const named = settings.map((text) => /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text)?.[1]);
  const path = named.findLast((one) => one !== undefined) ?? "~/.config/git/ignore";
  const text = await reader.text(path.replace(/^~(?=\/)/, homeDirectory));
  return text === "" ? undefined : parseIgnoreFile(text, "");
}
