/** What tells versions of a file apart without reading it. */
export interface FileStamp {
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** Where the file system tells; see `FileInfo`. */
  readonly changedAtMs?: number;
  /** Where the file system tells: which file the name stands for. */
  readonly inode?: number;
  readonly mode?: number;
}

/** Whether both are of one version, as far as both tell. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return (
    a.sizeBytes === b.sizeBytes &&
    a.modifiedAtMs === b.modifiedAtMs &&
    isSameWhereTold(a.changedAtMs, b.changedAtMs) &&
    isSameWhereTold(a.inode, b.inode) &&
    isSameWhereTold(a.mode, b.mode)
  );
}

function isSameWhereTold(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}
