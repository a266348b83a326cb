import type { FileTree } from "./file-tree.ts";

/** A tree that is loaded with its first use. What fails then is not known, as with any tree. */
export function lazyTree(open: () => Promise<FileTree>): FileTree {
  let opened: Promise<FileTree | undefined> | undefined;
  let isClosed = false;
  const tree = async (): Promise<FileTree | undefined> => {
    if (isClosed) return undefined;
    opened ??= open().catch(() => undefined);
    return opened;
  };
  return {
    warm: () => void tree().then((one) => one?.warm()),
    baseline: async (options) => (await tree())?.baseline(options),
    giveWay: () => void opened?.then((one) => one?.giveWay?.()),
    changes: async () => (await tree())?.changes(),
    verify: async (options) => (await (await tree())?.verify(options)) ?? [],
    takeUnkept: async (limits) => (await (await tree())?.takeUnkept(limits)) ?? [],
    close: async () => {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}
