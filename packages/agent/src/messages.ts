import type { ImageContent, Message, TextContent } from "@coppice/ai";

/** A command that the user ran with `!`; with `excludeFromContext` (`!!`) the model never sees it. */
export interface BashExecutionMessage {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
  readonly excludeFromContext?: boolean;
  readonly timestamp: number;
}

/** A message from an extension; reaches the model as user text. */
export interface CustomMessage {
  readonly role: "custom";
  readonly customType: string;
  readonly content: string | readonly (TextContent | ImageContent)[];
  readonly display: boolean;
  readonly details?: unknown;
  readonly timestamp: number;
}

/** Stands for the history that a compaction replaced. */
export interface CompactionSummaryMessage {
  readonly role: "compactionSummary";
  readonly summary: string;
  readonly tokensBefore: number;
  readonly timestamp: number;
}

/** Stands for a branch that was left. `fromId` is the entry it ended at. */
export interface BranchSummaryMessage {
  readonly role: "branchSummary";
  readonly summary: string;
  readonly fromId: string;
  readonly timestamp: number;
}

/** Roles beyond the model's own. Applications add theirs by declaration merging; `convertToLlm` decides what they become. */
export interface CustomAgentMessages {
  bashExecution: BashExecutionMessage;
  custom: CustomMessage;
  compactionSummary: CompactionSummaryMessage;
  branchSummary: BranchSummaryMessage;
}

/** What a transcript holds: the model's messages and those of the application. */
export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];
