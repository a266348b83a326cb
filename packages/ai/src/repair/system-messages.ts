import type { Message, SystemMessage } from "../message.ts";
import { textOf } from "../message.ts";
import type { ChatRequest } from "../request.ts";

type PromptState = Pick<ChatRequest, "messages" | "systemPrompt" | "tools">;
type Turn = Exclude<Message, SystemMessage>;

/**
 * A request whose system messages stand where its target takes them. Wants a paired history (`pairToolResults`).
 *
 * Those in the head move into the prompt and the tools. `areInPlace`: one that only adds text stays behind the user's
 * turn that it came with, so that what was sent before it keeps its bytes; several of one place become one.
 *
 * Replayed in order: a section replaces the one of its name, `null` removes it; tools are added (the last of a name
 * wins) and removed.
 */
export function settleSystemMessages<R extends PromptState>(
  request: R,
  { areInPlace }: { readonly areInPlace: boolean },
): R {
  if (!request.messages.some((message) => message.role === "system")) return request;
  const { head, messages } = divided(request.messages, areInPlace);
  const prompt = [request.systemPrompt ?? "", ...promptTexts(head)]
    .filter((text) => text.trim() !== "")
    .join("\n\n");
  const tools = patchedTools(request, head);
  return {
    ...request,
    messages,
    ...(prompt === "" ? {} : { systemPrompt: prompt }),
    ...(tools === undefined ? {} : { tools }),
  };
}

interface Divided {
  readonly head: readonly SystemMessage[];
  readonly messages: readonly Message[];
}

function divided(history: readonly Message[], areInPlace: boolean): Divided {
  const head: SystemMessage[] = [];
  const messages: Message[] = [];
  let waiting: SystemMessage[] = [];
  /** Their place is behind a turn of the user; between two answers there is none. */
  const settle = () => {
    if (!isTurnOfUser(messages.at(-1))) return;
    const settled = joined(waiting);
    if (settled !== undefined) messages.push(settled);
    waiting = [];
  };
  for (const message of history) {
    if (message.role !== "system") {
      if (message.role === "assistant") settle();
      messages.push(message);
    } else if (areInPlace && onlyAddsText(message) && messages.some(isTurnOfUser)) waiting.push(message);
    else head.push(message);
  }
  settle();
  return { head: [...head, ...waiting], messages };
}

function isTurnOfUser(message: Message | undefined): message is Turn {
  return message?.role === "user" || message?.role === "toolResult";
}

function onlyAddsText({ sections, toolsAdded, toolsRemoved }: SystemMessage): boolean {
  return (
    Object.keys(sections ?? {}).length === 0 &&
    (toolsAdded ?? []).length === 0 &&
    (toolsRemoved ?? []).length === 0
  );
}

function joined(messages: readonly SystemMessage[]): SystemMessage | undefined {
  const text = promptTexts(messages)
    .filter((part) => part.trim() !== "")
    .join("\n\n")
    .toWellFormed();
  const [first] = messages;
  return first === undefined || text === ""
    ? undefined
    : { role: "system", content: text, timestamp: first.timestamp };
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
