import type { AgentMessage } from "@coppice/agent";
import type { ImageContent, TextContent, TokenCounts } from "@coppice/ai";

/** Programs whose sessions are understood. */
export type ForeignProduct = "claude-code" | "codex" | "gemini-cli";

/** Names for people. */
export const FOREIGN_PRODUCTS: Readonly<Record<ForeignProduct, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  "gemini-cli": "Gemini CLI",
};

/** What one step of a foreign conversation becomes. Usage of a message is still without its cost. */
export type ForeignBody =
  | { readonly type: "message"; readonly message: AgentMessage; readonly counts?: TokenCounts | undefined }
  /** Everything before is replaced by the summary. */
  | { readonly type: "compaction"; readonly summary: string; readonly tokensBefore: number }
  /** What the program told the model beside the talk. */
  | {
      readonly type: "custom_message";
      readonly customType: string;
      readonly content: string | readonly (TextContent | ImageContent)[];
    };

/** One step, in the order of the file. Keys are unique; a parent stands before its children. */
export interface ForeignStep {
  readonly key: string;
  /** null = a root. */
  readonly parentKey: string | null;
  /** Unix milliseconds; undefined where the file has none that can be read. */
  readonly timestampMs: number | undefined;
  readonly body: ForeignBody;
}

/** A session of another program: a tree of steps, the last of which is where it stood. */
export interface ForeignConversation {
  readonly product: ForeignProduct;
  readonly productVersion: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  /** Lower-case hex SHA-256 of the directory, from programs that do not write the directory itself. */
  readonly cwdSha256?: string | undefined;
  readonly startedAtMs: number | undefined;
  readonly name: string | undefined;
  readonly steps: readonly ForeignStep[];
  /** What was not taken over: how often, by a name for people. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Reads a foreign session record by record, in the order of the file. */
export interface ForeignReader {
  add(record: Readonly<Record<string, unknown>>): void;
  end(): ForeignConversation;
}
