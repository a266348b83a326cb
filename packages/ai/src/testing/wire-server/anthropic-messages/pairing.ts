import { type JsonObject, jsonObjects } from "../json-shape.ts";
import { blocksOf } from "./blocks.ts";

const idsOf = (message: JsonObject | undefined, type: string, key: string): readonly string[] =>
  blocksOf(message?.content)
    .filter((block) => block.type === type)
    .map((block) => String(block[key]));

/** The results that a message begins with; results after other content do not count. */
function leadingResults(message: JsonObject | undefined): readonly string[] {
  if (message?.role !== "user") return [];
  const blocks = blocksOf(message.content);
  const end = blocks.findIndex((block) => block.type !== "tool_result");
  return blocks.slice(0, end === -1 ? undefined : end).map((block) => String(block.tool_use_id));
}

/** The first break of the rule that calls and results of neighbouring messages are the same set, each once. */
export function pairingProblem(body: JsonObject): string | undefined {
  const messages = jsonObjects(body.messages);
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const problem =
      orphanResult(messages, index) ?? repeatedCall(message, index, seen) ?? openCall(messages, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function orphanResult(messages: readonly JsonObject[], index: number): string | undefined {
  const message = messages[index];
  const calls = idsOf(messages[index - 1], "tool_use", "id");
  const answered = new Set<string>();
  for (const [blockIndex, block] of blocksOf(message?.content).entries()) {
    if (block.type !== "tool_result") continue;
    const id = String(block.tool_use_id);
    const place = `messages.${index}.content.${blockIndex}`;
    if (!calls.includes(id)) {
      return `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (answered.has(id)) {
      return `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
    answered.add(id);
  }
  return undefined;
}

function repeatedCall(message: JsonObject, index: number, seen: Set<string>): string | undefined {
  for (const [blockIndex, block] of blocksOf(message.content).entries()) {
    if (block.type !== "tool_use") continue;
    const id = String(block.id);
    if (seen.has(id)) return `messages.${index}.content.${blockIndex}: \`tool_use\` ids must be unique`;
    seen.add(id);
  }
  return undefined;
}

function openCall(messages: readonly JsonObject[], index: number): string | undefined {
  const answered = leadingResults(messages[index + 1]);
  const open = idsOf(messages[index], "tool_use", "id").filter((id) => !answered.includes(id));
  if (open.length === 0) return undefined;
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}
