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
  let paths: readonly ReadonlySet<string>[] = [];
  for (const id of entryIds) {
    if (present.has(id) || paths.some((path) => path.has(id))) continue;
    const path = new Set((await session.getBranchIds(id)).filter((other) => !present.has(other)));
    paths = [...paths.filter((other) => !isWithin(other, path)), path];
  }
  return Promise.all(paths.map((path) => session.getEntriesById([...path])));
}

/** Ways from one root: the shorter is part of the longer where the longer holds its end. */
function isWithin(shorter: ReadonlySet<string>, longer: ReadonlySet<string>): boolean {
  const end = [...shorter].at(-1);
  return end === undefined || longer.has(end);
}
