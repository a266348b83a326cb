/**
 * What an exported page holds, as JSON. The page draws it and asks nobody else.
 *
 * Only what a person can see goes in: no signatures, no raw details. Everything is text of strangers.
 */
export interface ExportData {
  readonly session: {
    readonly id: string;
    readonly name?: string;
    readonly cwd: string;
    /** ISO 8601. */
    readonly createdAt: string;
  };
  /** ISO 8601. */
  readonly exportedAt: string;
  /** How many secrets were replaced, each counted once; null: nobody looked for any. */
  readonly redactedSecrets: number | null;
  readonly totals: ExportTotals;
  /** In the order of writing. */
  readonly entries: readonly ExportEntry[];
  /** Every end of the tree, the one of the session's position first, then the newest first. */
  readonly branches: readonly ExportBranch[];
  /** What was wrong with the session, one sentence each. */
  readonly problems: readonly string[];
}

/** Of every branch; what was paid for counts, whether or not it is still in the context. */
export interface ExportTotals {
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly toolCalls: number;
  readonly compactions: number;
  /** Without what was read from a cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

export interface ExportBranch {
  /** Place of its last entry among the entries. */
  readonly leaf: number;
  /**
   * Runs of entries that the model no longer sees, as places on the way from the root to the leaf, both ends included.
   * Absent where nobody worked it out.
   */
  readonly forgotten?: readonly (readonly [first: number, last: number])[];
}

export interface ExportEntry {
  readonly id: string;
  /** Place of the entry before it among the entries; -1 at the root. */
  readonly parent: number;
  /** ISO 8601. */
  readonly at: string;
  readonly label?: string;
  readonly view: EntryView;
}

export type EntryView =
  | { readonly kind: "prompt"; readonly parts: readonly ContentPart[] }
  | AnswerView
  | ResultView
  | CommandView
  | SummaryView
  | MessageView
  | NoteView;

export interface AnswerView {
  readonly kind: "answer";
  /** `provider/model`. */
  readonly model: string;
  readonly parts: readonly AnswerPart[];
  /** Why the answer ended, where that was neither its end nor a call of tools. */
  readonly ending?: string;
  readonly error?: string;
  readonly usage?: ExportUsage;
  readonly durationMs?: number;
}

export interface ResultView {
  readonly kind: "result";
  readonly callId: string;
  readonly tool: string;
  readonly isError: boolean;
  readonly parts: readonly ContentPart[];
  /** Lines that begin with `+`, `-` or a blank. */
  readonly diff?: string;
  /** Exit code, duration and the like. */
  readonly facts: readonly string[];
}

/** A command that the user ran. */
export interface CommandView {
  readonly kind: "command";
  readonly command: string;
  readonly output: string;
  readonly facts: readonly string[];
}

export interface SummaryView {
  readonly kind: "summary";
  readonly of: "compaction" | "branch";
  readonly text: string;
  readonly tokensBefore?: number;
  readonly usage?: ExportUsage;
}

/** What neither the user nor the model wrote: an extension's message, the system prompt. */
export interface MessageView {
  readonly kind: "message";
  readonly title: string;
  readonly parts: readonly ContentPart[];
  /** True where the terminal does not show it either. */
  readonly isFolded: boolean;
}

/** A change of the session's state, or an entry of a kind that is not known. */
export interface NoteView {
  readonly kind: "note";
  readonly title: string;
  readonly text?: string;
}

export type ContentPart = TextPart | ImagePart | { readonly type: "omitted"; readonly reason: string };

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart {
  readonly type: "image";
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export type AnswerPart =
  | TextPart
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "call";
      readonly callId: string;
      readonly tool: string;
      /** The argument that says most; may be empty. */
      readonly title: string;
      readonly input: readonly InputSection[];
    };

/** A part of a tool call's arguments. */
export interface InputSection {
  readonly name: string;
  readonly text: string;
  readonly isDiff: boolean;
}

export interface ExportUsage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}
