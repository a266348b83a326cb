/** What was met in a session that is not as it should be; the session is usable all the same. */
export interface SessionDiagnostic {
  readonly code:
    | "unreadable_line"
    | "fused_line"
    | "missing_parent"
    | "unknown_target"
    | "duplicate_id"
    | "cycle"
    | "newer_version"
    | "migrated";
  readonly message: string;
  readonly entryId?: string;
  /** From 1, the header being line 1. Unknown when only the end of a file was read. */
  readonly line?: number;
  readonly byteOffset?: number;
  readonly byteLength?: number;
}

/** Where something stands in a file. */
export interface FilePlace {
  readonly line?: number;
  readonly byteOffset: number;
  readonly byteLength: number;
}
