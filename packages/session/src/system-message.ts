import type { SystemMessage, TextContent, ToolSpec } from "@coppice/ai";

/** Two system messages as one: later sections win, null removes one; the tools in force stand in `toolsAdded`. */
export function foldSystemMessages(earlier: SystemMessage | undefined, later: SystemMessage): SystemMessage {
  const sections = foldSections(earlier?.sections, later.sections);
  const tools = foldTools(earlier?.toolsAdded ?? [], later);
  return {
    role: "system",
    content: isEmpty(later.content) ? (earlier?.content ?? later.content ?? "") : later.content,
    ...(sections === undefined ? {} : { sections }),
    ...(tools.length === 0 ? {} : { toolsAdded: tools }),
    timestamp: later.timestamp,
  };
}

function isEmpty(content: string | readonly TextContent[] | null | undefined): boolean {
  return content === null || content === undefined || content.length === 0;
}

function foldSections(
  earlier: SystemMessage["sections"],
  later: SystemMessage["sections"],
): Readonly<Record<string, string>> | undefined {
  if (earlier === undefined && later === undefined) return undefined;
  const sections = new Map<string, string>();
  for (const [name, text] of [...Object.entries(earlier ?? {}), ...Object.entries(later ?? {})]) {
    if (text === null) sections.delete(name);
    else sections.set(name, text);
  }
  return Object.fromEntries(sections);
}

function foldTools(inForce: readonly ToolSpec[], patch: SystemMessage): readonly ToolSpec[] {
  const tools = new Map(inForce.map((tool) => [tool.name, tool]));
  for (const { name } of patch.toolsRemoved ?? []) tools.delete(name);
  for (const tool of patch.toolsAdded ?? []) tools.set(tool.name, tool);
  return [...tools.values()];
}
