import type { ImageContent } from "@coppice/ai";
import { AgentError } from "./errors.ts";
import type { AgentMessage } from "./messages.ts";

/** What can be prompted with: text, one message, or several. */
export type PromptInput = string | AgentMessage | readonly AgentMessage[];

export interface PromptOptions {
  /** Go with text only; messages carry their own. */
  readonly images?: readonly ImageContent[] | undefined;
  /** Unix milliseconds. */
  readonly timestamp: number;
}

/** The messages of a prompt. Throws `nothing_to_send` for blank text without an image and for an empty list. */
export function promptMessages(input: PromptInput, options: PromptOptions): readonly AgentMessage[] {
  const { images = [], timestamp } = options;
  if (typeof input !== "string") {
    if (images.length > 0)
      throw new TypeError("Images go with text; put them into the content of the message.");
    const messages: readonly AgentMessage[] = "role" in input ? [input] : input;
    if (messages.length === 0)
      throw new AgentError({ code: "nothing_to_send", message: "The prompt is empty." });
    return messages;
  }
  const text = input.trim() === "" ? [] : [{ type: "text" as const, text: input }];
  if (text.length + images.length === 0) {
    throw new AgentError({ code: "nothing_to_send", message: "The prompt is blank." });
  }
  return [{ role: "user", content: images.length === 0 ? input : [...text, ...images], timestamp }];
}
