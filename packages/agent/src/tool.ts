import type { ImageContent, TextContent, ToolSpec, Usage } from "@coppice/ai";
import type { Static, TSchema } from "typebox";

/** What a tool gives back. The model sees `content`; UIs and session files also get `details`. */
export interface ToolResult<Details = unknown> {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly details?: Details;
  readonly isError?: boolean;
  /** Asks the run to end after this batch; obeyed when every result of the batch asks for it. */
  readonly terminate?: boolean;
  /**
   * Model calls that the tool made itself, those of its own tools included. A throw loses it: after a paid call that
   * went wrong, return `isError` with it.
   */
  readonly usage?: Usage;
}

/** What a running tool may know of the run around it. */
export interface ToolContext {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * A tool that a model can call. `parameters` is a TypeBox schema; arguments are validated against it before `execute`.
 *
 * A throw becomes an error result. `signal` fires on abort; a tool should then return promptly with what it has.
 */
export interface AgentTool<Parameters extends TSchema = TSchema, Details = unknown> extends ToolSpec {
  readonly parameters: Parameters;
  /** Short name for people; defaults to `name`. */
  readonly label?: string;
  /** `sequential` makes every batch that holds a call of this tool run one call after the other. */
  readonly executionMode?: "parallel" | "sequential";
  execute(
    toolCallId: string,
    params: Static<Parameters>,
    signal: AbortSignal,
    onUpdate: (partial: ToolResult<Details>) => void,
    context: ToolContext,
  ): Promise<ToolResult<Details>>;
}

/** Any tool, whatever its parameters: what lists of tools hold. */
// biome-ignore lint/suspicious/noExplicitAny: parameters are contravariant; validation at the call makes this sound.
export type AnyAgentTool = AgentTool<any, any>;
