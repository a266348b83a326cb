import type { Session } from "./session.ts";

/** What a list shows of a session. */
export interface SessionSummary {
  readonly id: string;
  readonly path: string | undefined;
  readonly cwd: string;
  readonly name: string | undefined;
  readonly firstPrompt: string | undefined;
  /** ISO 8601 of the newest user or assistant message, else of the header. */
  readonly lastMessageAt: string;
  /** User and assistant messages, all branches. */
  readonly messageCount: number;
  readonly sizeBytes: number;
  readonly parentSession: string | undefined;
  /** Lines that were seen to be damaged, where there are any; the list does not look into every line. */
  readonly damage?: FoundDamage;
}

/** Damaged lines of a session file. */
export interface FoundDamage {
  readonly lines: number;
  /** Where the first of them starts. */
  readonly byteOffset: number;
}

/** Something in the session folder that could not be listed. */
export interface ListDiagnostic {
  readonly diagnostic: string;
  readonly path: string;
}

export type ListItem = SessionSummary | ListDiagnostic;

export interface CreateOptions {
  readonly cwd: string;
  /** Default: a new UUIDv7. */
  readonly id?: string;
  readonly parentSession?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface OpenOptions {
  /** Takes no lock and writes nothing. */
  readonly readOnly?: boolean;
  /** Working directory of the session that an empty file becomes; without it an empty file is refused. */
  readonly cwd?: string;
  /** What to do while somebody else writes the session: reject with `locked` (default), or open a fork of it. */
  readonly whenLocked?: "refuse" | "fork";
}

export interface ImportOptions {
  /** Default: that of the file. */
  readonly cwd?: string;
}

export interface ExportOptions {
  /** `branch`: only the way to the position, with its labels, edits and the name; default `all`. */
  readonly only?: "all" | "branch";
  /** Sees each line without its LF, the header first, and says what is written in its place. */
  readonly changeLine?: ChangeLine;
}

/** One line for another; a line that comes back as it was is copied byte for byte. */
export type ChangeLine = (line: string) => string;

export interface ForkOptions {
  /** The path to this entry is copied; default: the position, null: nothing. */
  readonly entryId?: string | null;
  /** Default: the source's. */
  readonly cwd?: string;
}

/** Many sessions. Errors are `SessionError`s. */
export interface SessionRepo {
  /** Nothing is written until the first append. */
  create(options: CreateOptions): Promise<Session>;
  /** By path (for stores that have one), id or unique id prefix. */
  open(ref: string, options?: OpenOptions): Promise<Session>;
  /** In no particular order; what cannot be read is one diagnostic each. */
  list(options?: { readonly cwd?: string }): AsyncIterable<ListItem>;
  delete(ref: string): Promise<void>;
  /** Copies the path to an entry, with its labels, edits and name, into a new session; the source stays as it is. */
  fork(source: Session, options?: ForkOptions): Promise<Session>;
}
