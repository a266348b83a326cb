/** A version of a file: what it held (SHA-256 in hexadecimal) and its permission bits. Null = there was none. */
export type FileState = { readonly hash: string; readonly mode: number } | null;

/** `unknown`: nobody had looked before it was changed. */
export type EarlierState = FileState | "unknown";

/** One change of one file by one tool call. */
export interface FileChange {
  readonly toolCallId: string;
  /** Unix milliseconds; tells calls apart whose server gave them the same id. */
  readonly atMs: number;
  /** Absolute, links resolved. */
  readonly path: string;
  readonly before: EarlierState;
  /** `unknown` where the call never came to its end. */
  readonly after: EarlierState;
  /** Only looks at the tree before and after a command tell of it: somebody else can have made it in that time. */
  readonly isFound?: true;
}

export function isSameState(a: EarlierState, b: EarlierState): boolean {
  if (a === null || b === null || a === "unknown" || b === "unknown") return a === b && a !== "unknown";
  return a.hash === b.hash && a.mode === b.mode;
}
