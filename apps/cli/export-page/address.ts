const PREFIX = "#entry=";

/** The address of an entry within the page. */
export function entryAddress(id: string): string {
  return PREFIX + encodeURIComponent(id.toWellFormed());
}

/** The id that an address names; undefined where it names none. */
export function addressedEntry(hash: string): string | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    return decodeURIComponent(hash.slice(PREFIX.length));
  } catch {
    // A percent sign that begins nothing: somebody changed the address.
    return undefined;
  }
}
