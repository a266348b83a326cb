import type { AnyEntry, Session } from "@coppice/session";

/**
 * The branches that entries lie on, each from where it parts from `here` to the last of them on it, oldest first.
 *
 * Entries of one branch give one; those of `here` itself give none.
 */
export async function otherBranches(
  session: Session,
  here: readonly AnyEntry[],
  entryIds: readonly string[],
): Promise<readonly (readonly AnyEntry[])[]> {
  const present = new Set(here.map(({ id }) => id));
  let paths: readonly Path[] = [];
  // Later ids are mostly those of longer ways, which hold the earlier ones.
  for (const id of entryIds.toReversed()) {
    if (present.has(id) || paths.some(({ ids }) => ids.has(id))) continue;
    const ids = new Set((await session.getBranchIds(id)).filter((other) => !present.has(other)));
    // Ways from one root: the shorter is part of the longer where the longer holds its end.
    paths = [{ end: id, ids }, ...paths.filter(({ end }) => !ids.has(end))];
  }
  return Promise.all(paths.map(({ ids }) => session.getEntriesById([...ids])));
}

interface Path {
  readonly end: string;
  readonly ids: ReadonlySet<string>;
}
