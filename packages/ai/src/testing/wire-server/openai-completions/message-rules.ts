import { isJsonObject, type JsonObject, jsonObjects } from "../json-shape.ts";
import type { Problem } from "../openai/describe-issue.ts";
import { isBase64 } from "../valid-text.ts";
import { REASONING_FIELDS } from "./request-shape.ts";

/** The first break of a rule across messages: pairing of calls and results, null content, images, reasoning. */
export function messageProblem(
  body: JsonObject,
  isIssued: (reasoning: string) => boolean,
): Problem | undefined {
  const messages = jsonObjects(body.messages);
  const pairing = pairingProblem(messages);
  if (pairing !== undefined) return pairing;
  for (const [index, message] of messages.entries()) {
    const problem =
      nullProblem(message, index) ??
      imageProblem(message, index) ??
      reasoningProblem(message, index, isIssued);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const callIdsOf = (message: JsonObject | undefined): readonly string[] =>
  jsonObjects(message?.tool_calls).map((call) => String(call.id));

function pairingProblem(messages: readonly JsonObject[]): Problem | undefined {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const param = `messages.[${index}].role`;
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!open.includes(id)) return { message: ORPHAN, param, code: null };
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return { message: UNANSWERED + open.join(", "), param, code: null };
    open = [...callIdsOf(message)];
    if (new Set(open).size < open.length)
      return { message: `Duplicate value for 'tool_call_id' in message ${index}.`, param, code: null };
  }
  if (open.length === 0) return undefined;
  return { message: UNANSWERED + open.join(", "), param: `messages.[${messages.length}].role`, code: null };
}

/** Both wordings as in public error reports of 2024–2026, "preceeding" included. */
const ORPHAN =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";

function nullProblem(message: JsonObject, index: number): Problem | undefined {
  if (message.role !== "assistant" || (message.content ?? null) !== null) return undefined;
  if (message.tool_calls !== undefined || typeof message.refusal === "string") return undefined;
  return {
    message: "Invalid value for 'content': expected a string, got null.",
    param: `messages.[${index}].content`,
    code: null,
  };
}

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function imageProblem(message: JsonObject, index: number): Problem | undefined {
  for (const part of jsonObjects(message.content)) {
    const url = isJsonObject(part.image_url) ? String(part.image_url.url) : undefined;
    if (url === undefined || /^https?:\/\//.test(url)) continue;
    const param = `messages.[${index}].content`;
    const [, type = "", data = ""] = DATA_URL.exec(url) ?? [];
    if (!IMAGE_TYPES.includes(type)) {
      const message = `You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].`;
      return { message, param, code: "invalid_image_format" };
    }
    if (!isBase64(data)) {
      const message = "Invalid base64 image_url.";
      return { message, param, code: "invalid_base64" };
    }
  }
  return undefined;
}

function reasoningProblem(
  message: JsonObject,
  index: number,
  isIssued: (reasoning: string) => boolean,
): Problem | undefined {
  for (const field of REASONING_FIELDS) {
    const value = message[field];
    if (typeof value !== "string" || isIssued(value)) continue;
    const param = `messages[${index}].${field}`;
    return { message: `Unknown parameter: '${param}'.`, param, code: "unknown_parameter" };
  }
  return undefined;
}
