import { type AnyEntry, isEntry } from "@coppice/session";

/** `customType` of the messages that hold entries of another branch. */
export const BROUGHT_CUSTOM_TYPE = "coppice.brought";

/** What was brought along a path: id of an entry of another branch → id of the entry that quotes it first. Pure. */
export function placesOfBrought(path: readonly AnyEntry[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const entry of path) {
    if (!isEntry(entry, "custom_message") || entry.customType !== BROUGHT_CUSTOM_TYPE) continue;
    for (const id of idsOf(entry.details)) if (!places.has(id)) places.set(id, entry.id);
  }
  return places;
}

/** A file of somebody else may hold anything there. */
function idsOf(details: unknown): readonly string[] {
  if (typeof details !== "object" || details === null || !("entryIds" in details)) return [];
  const { entryIds } = details;
  return Array.isArray(entryIds) ? entryIds.filter((id): id is string => typeof id === "string") : [];
}
