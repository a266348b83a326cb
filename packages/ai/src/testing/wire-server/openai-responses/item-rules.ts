import { type JsonObject, jsonObjects } from "../json-shape.ts";
import type { Problem } from "../openai/describe-issue.ts";
import type { IssuedItems } from "./issued-items.ts";

/** The first break of a rule across input items: pairing, reasoning and what follows it, ids, encrypted content. */
export function itemProblem(body: JsonObject, issued: IssuedItems): Problem | undefined {
  const items = jsonObjects(body.input);
  const pairing = pairingProblem(items);
  if (pairing !== undefined) return pairing;
  for (const [index, item] of items.entries()) {
    const problem =
      idProblem(item, index) ??
      (item.type === "reasoning" ? reasoningProblem(items, index, body, issued) : undefined) ??
      lostReasoning(items, index, issued);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const invalid = (message: string, param = "input", code: string | null = null): Problem => ({
  message,
  param,
  code,
});

/** Wordings of this file as in public error reports of 2025–2026. */
function pairingProblem(items: readonly JsonObject[]): Problem | undefined {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const item of items) {
    const id = String(item.call_id);
    if (item.type === "function_call") {
      if (seen.has(id)) return invalid(`Duplicate function call with call_id ${id}.`);
      seen.add(id);
      open.add(id);
    } else if (item.type === "function_call_output" && !open.delete(id)) {
      return invalid(`No tool call found for function call output with call_id ${id}.`);
    } else if (item.role === "user" && open.size > 0) break;
  }
  const [unanswered] = open;
  return unanswered === undefined
    ? undefined
    : invalid(`No tool output found for function call ${unanswered}.`);
}

const ID_PREFIX: Readonly<Record<string, string>> = { reasoning: "rs", function_call: "fc", message: "msg" };

function idProblem(item: JsonObject, index: number): Problem | undefined {
  const prefix = ID_PREFIX[String(item.type)];
  if (prefix === undefined || typeof item.id !== "string" || item.id.startsWith(prefix)) return undefined;
  const param = `input[${index}].id`;
  return invalid(
    `Invalid '${param}': '${item.id}'. Expected an ID that begins with '${prefix}'.`,
    param,
    "invalid_value",
  );
}

function reasoningProblem(
  items: readonly JsonObject[],
  index: number,
  body: JsonObject,
  issued: IssuedItems,
): Problem | undefined {
  const item = items[index] ?? {};
  const next = items.slice(index + 1).find((each) => each.type !== "reasoning");
  if (next === undefined || next.type === "function_call_output" || isInput(next))
    return invalid(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`);
  if (typeof item.encrypted_content === "string") {
    return issued.isEncryption(item.encrypted_content)
      ? undefined
      : invalid(
          `The encrypted content for item ${item.id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
          "input",
          "invalid_encrypted_content",
        );
  }
  return body.store === false
    ? invalid(
        `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      )
    : undefined;
}

const isInput = (item: JsonObject) => ["user", "system", "developer"].includes(String(item.role));

function lostReasoning(
  items: readonly JsonObject[],
  index: number,
  issued: IssuedItems,
): Problem | undefined {
  const item = items[index] ?? {};
  if (typeof item.id !== "string") return undefined;
  const required = issued.reasoningOf(item.id);
  if (required === undefined || items.slice(0, index).some((each) => each.id === required)) return undefined;
  return invalid(
    `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${required}'.`,
  );
}
