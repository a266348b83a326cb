import type { Message, SystemMessage } from "../message.ts";
import { textOf } from "../message.ts";
import type { ChatRequest } from "../request.ts";

type PromptState = Pick<ChatRequest, "messages" | "systemPrompt" | "tools">;

/**
 * A request whose system messages have moved into its prompt and tools: no API takes them in every place.
 *
 * Replayed in order: a section replaces the one of its name, `null` removes it; tools are added (the last of a name
 * wins) and removed.
 */
export function foldSystemMessages<R extends PromptState>(request: R): R {
  const patches = request.messages.filter((message) => message.role === "system");
  if (patches.length === 0) return request;
  const prompt = [request.systemPrompt ?? "", ...promptTexts(patches)]
    .filter((text) => text.trim() !== "")
    .join("\n\n");
  const tools = patchedTools(request, patches);
  return {
    ...request,
    messages: request.messages.filter(
      (message): message is Exclude<Message, SystemMessage> => message.role !== "system",
    ),
    ...(prompt === "" ? {} : { systemPrompt: prompt }),
    ...(tools === undefined ? {} : { tools }),
  };
}

function promptTexts(patches: readonly SystemMessage[]): readonly string[] {
  const sections = new Map<string, string>();
  const texts: string[] = [];
  for (const patch of patches) {
    texts.push(textOf(patch.content));
    for (const [name, text] of Object.entries(patch.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
  }
  return [...texts, ...sections.values()];
}

function patchedTools(request: PromptState, patches: readonly SystemMessage[]): ChatRequest["tools"] {
  if (!patches.some((patch) => patch.toolsAdded?.length || patch.toolsRemoved?.length)) return request.tools;
  const tools = new Map((request.tools ?? []).map((tool) => [tool.name, tool]));
  for (const patch of patches) {
    for (const { name } of patch.toolsRemoved ?? []) tools.delete(name);
    for (const tool of patch.toolsAdded ?? []) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}
