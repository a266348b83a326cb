import type { FileStamp } from "./file-stamp.ts";

/** A stamp of the local disk as numbers; a list of them goes from thread to thread without being copied. */
export const VALUES_A_STAMP = 5;

/** Writes a stamp, or that there is none, as number `at` of a list. */
export function putStamp(values: Float64Array, at: number, stamp: FileStamp | undefined): void {
  const start = at * VALUES_A_STAMP;
  values[start] = stamp?.sizeBytes ?? Number.NaN;
  values[start + 1] = stamp?.modifiedAtMs ?? Number.NaN;
  values[start + 2] = stamp?.changedAtMs ?? Number.NaN;
  values[start + 3] = stamp?.inode ?? Number.NaN;
  values[start + 4] = stamp?.mode ?? Number.NaN;
}

/** Stamp number `at` of a list, all of whose values are known. */
export function stampAt(values: Float64Array, at: number): FileStamp | undefined {
  const start = at * VALUES_A_STAMP;
  const [sizeBytes, modifiedAtMs] = [values[start], values[start + 1]];
  if (sizeBytes === undefined || modifiedAtMs === undefined || Number.isNaN(sizeBytes)) return undefined;
  const [changedAtMs = 0, inode = 0, mode = 0] = [values[start + 2], values[start + 3], values[start + 4]];
  return { sizeBytes, modifiedAtMs, changedAtMs, inode, mode };
}
