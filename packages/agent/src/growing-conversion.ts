import type { Message } from "@coppice/ai";
import { messageToLlm } from "./convert-to-llm.ts";
import type { ConvertToLlm } from "./hooks.ts";
import type { AgentMessage } from "./messages.ts";

/**
 * `convertToLlm` for one list that only grows: each message is converted once, so that a turn costs the same in a long
 * transcript as in a short one. Another list starts anew. Every answer is a list of its own.
 */
export function growingConversion(): ConvertToLlm {
  let source: readonly AgentMessage[] | undefined;
  let count = 0;
  let converted: Message[] = [];
  return (messages) => {
    if (messages !== source) {
      source = messages;
      count = 0;
      converted = [];
    }
    for (const message of messages.slice(count)) {
      const shown = messageToLlm(message);
      if (shown !== undefined) converted.push(shown);
    }
    count = messages.length;
    return converted.slice();
  };
}
