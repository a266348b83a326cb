import { argumentText, type ScriptedBlock, toolCallId } from "../../scripted-answer.ts";
import { type JsonObject, jsonObjects } from "../json-shape.ts";
import type { WireReply } from "../wire-format.ts";
import type { IssuedItems } from "./issued-items.ts";

/** A finished output item beside the block that it came from. */
export interface OutputItem {
  readonly block: ScriptedBlock;
  readonly item: JsonObject;
}

/** The output items of an answer; what follows reasoning is noted as needing it. */
export function outputItems(reply: WireReply, issued: IssuedItems): readonly OutputItem[] {
  const include = Array.isArray(reply.body.include) ? reply.body.include : [];
  const isEncrypted = include.includes("reasoning.encrypted_content");
  let reasoningId: string | undefined;
  return reply.answer.content.map((block, index) => {
    const suffix = `${reply.callIndex + 1}_${index + 1}`;
    const item = itemOf({ block, index, suffix, reply, issued, isEncrypted });
    if (block.type === "thinking") reasoningId = String(item.id);
    else if (reasoningId !== undefined) {
      issued.follows(String(item.id), reasoningId);
      reasoningId = undefined;
    }
    return { block, item };
  });
}

interface ItemOptions {
  readonly block: ScriptedBlock;
  readonly index: number;
  readonly suffix: string;
  readonly reply: WireReply;
  readonly issued: IssuedItems;
  readonly isEncrypted: boolean;
}

function itemOf({ block, index, suffix, reply, issued, isEncrypted }: ItemOptions): JsonObject {
  const status = "completed";
  if (block.type === "text") {
    const content = [{ type: "output_text", text: block.text, annotations: [], logprobs: [] }];
    return { type: "message", id: `msg_${suffix}`, status, role: "assistant", content };
  }
  if (block.type === "toolCall") {
    const call_id = toolCallId(block, reply.callIndex, index);
    const args = argumentText(block);
    return { type: "function_call", id: `fc_${suffix}`, status, call_id, name: block.name, arguments: args };
  }
  const summary = block.redacted ? [] : [{ type: "summary_text", text: block.thinking }];
  const encrypted = isEncrypted ? { encrypted_content: issued.encrypt(block.thinking) } : {};
  return { type: "reasoning", id: `rs_${suffix}`, summary, ...encrypted };
}

/** The item as it is announced, before its content has come. */
export function emptyItem(item: JsonObject): JsonObject {
  switch (item.type) {
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    default:
      return { type: item.type, id: item.id, summary: [] };
  }
}

/** The first part of an item's content or summary. */
export function firstPart(item: JsonObject): JsonObject {
  return jsonObjects(item.content ?? item.summary)[0] ?? {};
}
