import { imageRuleOf, withImageLimits } from "../image-rules.ts";
import type { ImageRule, ToolCallIdRule } from "../provider.ts";
import type { ChatRequest } from "../request.ts";
import { dropBlankBlocks } from "./blank-blocks.ts";
import { dropFailedTurns } from "./failed-turns.ts";
import { dropForeignThinking } from "./foreign-thinking.ts";
import { limitImages } from "./image-limits.ts";
import { replaceUnseenImages } from "./images.ts";
import { settleSystemMessages } from "./system-messages.ts";
import { mapToolCallIds } from "./tool-call-ids.ts";
import { makeToolNamesLegal } from "./tool-names.ts";
import { pairToolResults } from "./tool-results.ts";
import { makeToolWellFormed, makeWellFormed } from "./well-formed.ts";

/**
 * The request with a history that its target accepts; the client does this to every request before it is encoded.
 *
 * Pure and idempotent: nothing depends on anything but the request, nothing is stored, and a longer history repairs its
 * beginning alike, so that prompt caches hold. The order matters: failed turns leave orphans that the pairing drops.
 */
export function repairHistory(
  request: ChatRequest,
  options: {
    readonly toolCallIds?: ToolCallIdRule | undefined;
    readonly images?: ImageRule | undefined;
    readonly takesSystemMessages?: boolean | undefined;
  } = {},
): ChatRequest {
  const { model } = request;
  let messages = dropFailedTurns(request.messages.map(withContent));
  messages = dropForeignThinking(messages, model);
  messages = replaceUnseenImages(messages, model);
  const { imageLimits } = model;
  if (options.images !== undefined)
    messages = limitImages(messages, withImageLimits(options.images, imageLimits));
  else if (imageLimits !== undefined) messages = limitImages(messages, imageRuleOf(model));
  messages = dropBlankBlocks(makeWellFormed(messages, model));
  messages = pairToolResults(makeToolNamesLegal(messages));
  if (options.toolCallIds !== undefined) messages = mapToolCallIds(messages, options.toolCallIds);
  const areInPlace =
    options.takesSystemMessages === true && model.quirks?.supportsMidConvoSystemMessages === true;
  const { systemPrompt, tools, ...rest } = settleSystemMessages({ ...request, messages }, { areInPlace });
  return {
    ...rest,
    ...(systemPrompt === undefined ? {} : { systemPrompt: systemPrompt.toWellFormed() }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map(makeToolWellFormed) }),
  };
}

/** Imported files hold `content: null`, and assistant text as a plain string. */
function withContent(message: ChatRequest["messages"][number]): ChatRequest["messages"][number] {
  const content: unknown = message.content;
  if (content !== null && content !== undefined && (message.role === "user" || typeof content !== "string"))
    return message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : [];
  return { ...message, content: blocks } as typeof message;
}
