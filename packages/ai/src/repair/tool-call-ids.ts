import { hashOf } from "../hash.ts";
import type { AssistantMessage, Message } from "../message.ts";
import type { ToolCallIdRule } from "../provider.ts";

/**
 * Paired history in which every call id fits the target and names one call only; legal unique ids stay as they are.
 *
 * Wants each assistant message followed by the results of its calls in order (`pairToolResults`). The new name of an id
 * depends on the id and on how often it was used before, so that a longer history names its beginning alike.
 */
export function mapToolCallIds(messages: readonly Message[], rule: ToolCallIdRule): readonly Message[] {
  const names = new IdNames(rule);
  let waiting: string[] = [];
  return messages.map((message) => {
    if (message.role === "assistant") {
      const renamed = renameCalls(message, names);
      waiting = renamed.ids;
      return renamed.message;
    }
    if (message.role !== "toolResult") return message;
    const id = waiting.shift() ?? message.toolCallId;
    return id === message.toolCallId ? message : { ...message, toolCallId: id };
  });
}

function renameCalls(
  message: AssistantMessage,
  names: IdNames,
): { message: AssistantMessage; ids: string[] } {
  const ids: string[] = [];
  const content = message.content.map((block) => {
    if (block.type !== "toolCall") return block;
    const id = names.next(block.id);
    ids.push(id);
    return id === block.id ? block : { ...block, id };
  });
  const isChanged = content.some((block, at) => block !== message.content[at]);
  return { message: isChanged ? { ...message, content } : message, ids };
}

class IdNames {
  readonly #legal: RegExp;
  readonly #illegalCharacters: RegExp;
  readonly #maxLength: number;
  readonly #taken = new Set<string>();
  readonly #uses = new Map<string, number>();

  constructor({ alphabet, maxLength }: ToolCallIdRule) {
    this.#legal = new RegExp(`^[${alphabet}]{1,${maxLength}}$`);
    this.#illegalCharacters = new RegExp(`[^${alphabet}]`, "g");
    this.#maxLength = maxLength;
  }

  /** The name of the next call that carries `id`. */
  next(id: string): string {
    const use = this.#uses.get(id) ?? 0;
    this.#uses.set(id, use + 1);
    let name = use === 0 && this.#legal.test(id) ? id : this.#made(id, `${use}`);
    // A made name that meets a given one, or the reverse: try on until it is free.
    for (let attempt = 0; this.#taken.has(name); attempt++) name = this.#made(id, `${use}.${attempt}`);
    this.#taken.add(name);
    return name;
  }

  /** A readable beginning and a hash that tells apart what the beginning does not. */
  #made(id: string, salt: string): string {
    const hash = hashOf(`${salt} ${id}`).slice(0, this.#maxLength);
    const readable = id
      .replace(this.#illegalCharacters, "")
      .slice(0, Math.max(0, this.#maxLength - hash.length));
    return `${readable}${hash}`;
  }
}
