import type { AnyAgentTool, ToolResult } from "@coppice/agent";

export interface RunToolOptions {
  readonly signal?: AbortSignal;
  readonly onUpdate?: (partial: ToolResult) => void;
  readonly now?: () => number;
}

export interface ToolOutcome {
  /** The text blocks joined; of a throw, its message. */
  readonly text: string;
  readonly isError: boolean;
  readonly details: unknown;
  readonly content: ToolResult["content"];
}

/** Calls a tool as the agent loop does: a throw becomes an error result. Arguments are not validated. */
export async function runTool(
  tool: AnyAgentTool,
  params: object,
  options: RunToolOptions = {},
): Promise<ToolOutcome> {
  const context = { toolCallId: "call-1", toolName: tool.name, now: options.now ?? (() => 0) };
  const signal = options.signal ?? new AbortController().signal;
  try {
    const result = await tool.execute(
      "call-1",
      params,
      signal,
      options.onUpdate ?? (() => undefined),
      context,
    );
    const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return { text, isError: result.isError ?? false, details: result.details, content: result.content };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { text, isError: true, details: undefined, content: [{ type: "text", text }] };
  }
}
