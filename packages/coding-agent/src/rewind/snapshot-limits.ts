/** How much is kept of what files held. */
export interface SnapshotLimits {
  /** Sessions that were not used for longer lose their versions. */
  readonly maxAgeDays: number;
  /** Versions of one project together; the sessions that were used least recently lose theirs first. */
  readonly maxBytes: number;
}

/** Three months, 1 GiB. */
export const DEFAULT_SNAPSHOT_LIMITS: SnapshotLimits = { maxAgeDays: 90, maxBytes: 1024 ** 3 };
