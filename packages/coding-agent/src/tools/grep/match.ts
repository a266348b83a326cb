/** A line of a search result. `path` is relative to the searched folder. */
export interface GrepLine {
  readonly path: string;
  /** 1-based; lines end with LF. */
  readonly line: number;
  readonly text: string;
  /** False for a line of context. */
  readonly isMatch: boolean;
  /** The text was cut. */
  readonly isCut: boolean;
}

export interface GrepRequest {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  /** Lines around each match. */
  readonly contextLines: number;
  /** Absolute folder, and the only file in it to search. */
  readonly folder: string;
  readonly fileName: string | undefined;
  /** Glob relative to `folder`. */
  readonly glob: string | undefined;
  readonly signal: AbortSignal;
  /** Lines in order of path and number; answering `false` ends the search. */
  readonly onLine: (line: GrepLine) => boolean;
}

/** Longer lines are cut: they are generated code or data. */
export const MAX_LINE_CHARACTERS = 500;
