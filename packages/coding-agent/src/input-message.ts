import type { ImageContent, UserMessage } from "@coppice/ai";
import { CodingAgentError } from "./errors.ts";

export interface InputMessageOptions {
  readonly text: string;
  readonly images?: readonly ImageContent[] | undefined;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What the user said as a message; content is always a list of blocks. Throws `empty_prompt`. */
export function inputMessage({ text, images = [], now }: InputMessageOptions): UserMessage {
  if (text.trim() === "" && images.length === 0) {
    throw new CodingAgentError({ code: "empty_prompt", message: "The prompt is empty." });
  }
  const blocks = text.trim() === "" ? [] : [{ type: "text" as const, text }];
  return { role: "user", content: [...blocks, ...images], timestamp: now };
}
