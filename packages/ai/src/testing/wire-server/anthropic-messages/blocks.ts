import { type JsonObject, jsonObjects } from "../json-shape.ts";

/** A content block with its message and place, for rules that look across blocks. */
export interface PlacedBlock {
  readonly block: JsonObject;
  readonly role: unknown;
  readonly messageIndex: number;
  readonly blockIndex: number;
}

/** The blocks of a message's content; a string stands for one text block. */
export function blocksOf(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : jsonObjects(content);
}

/** All blocks of a request's messages in order. */
export function* placedBlocks(body: JsonObject): Generator<PlacedBlock> {
  for (const [messageIndex, message] of jsonObjects(body.messages).entries()) {
    for (const [blockIndex, block] of blocksOf(message.content).entries()) {
      yield { block, role: message.role, messageIndex, blockIndex };
    }
  }
}

/** `messages.3.content.0`: how the API names a place. */
export function placeOf(placed: Pick<PlacedBlock, "messageIndex" | "blockIndex">): string {
  return `messages.${placed.messageIndex}.content.${placed.blockIndex}`;
}
