import {
  type AssistantContent,
  type ImageContent,
  type TextContent,
  type TokenCounts,
  ZERO_USAGE,
} from "@coppice/ai";
import type { ForeignBody, ForeignConversation, ForeignReader, ForeignStep } from "./foreign-conversation.ts";
import {
  countOf,
  imageBlocks,
  isRecord,
  type JsonRecord,
  recordOf,
  recordsOf,
  stringOf,
  textBlocks,
  timeOf,
} from "./json-shape.ts";
import { LeftOut } from "./left-out.ts";

/** How the first message of a session begins, which the program writes itself. */
const CONTEXT_TEXT = /^\s*<session_context>/;
const FAILED_STATUSES: ReadonlySet<unknown> = new Set(["error", "cancelled"]);

/** A place in the talk: a message after another one. */
interface Place {
  readonly key: string;
  readonly id: string;
  readonly parent: Place | undefined;
}

/**
 * Reads a session of Gemini CLI: a line per message and per change (as seen in files of 0.61), or one document with all
 * messages as older versions wrote it. A message that is written again replaces the one of its id; what was rewound or
 * left out of a new list stays as a branch.
 */
export class GeminiCliReader implements ForeignReader {
  readonly #messages = new Map<string, JsonRecord>();
  readonly #places = new Map<string, Place>();
  #current: Place | undefined;
  #head: JsonRecord = {};

  /** Whether a record is the first one of such a file. */
  static knows(record: JsonRecord): boolean {
    return typeof record.sessionId === "string" && typeof record.projectHash === "string";
  }

  add(record: JsonRecord): void {
    if (GeminiCliReader.knows(record)) this.#head = record;
    const rewindTo = stringOf(record.$rewindTo);
    if (rewindTo !== undefined) this.#rewind(rewindTo);
    const { messages } = isRecord(record.$set) ? record.$set : record;
    if (Array.isArray(messages)) this.#follow(recordsOf(messages));
    if (stringOf(record.id) !== undefined) this.#addMessage(record);
  }

  end(): ForeignConversation {
    const leftOut = new LeftOut();
    const steps: ForeignStep[] = [];
    /** The last step up to and including a place. */
    const ends = new Map<Place, string | null>();
    for (const place of this.#places.values()) {
      let parentKey = place.parent === undefined ? null : (ends.get(place.parent) ?? null);
      const message = this.#messages.get(place.id) ?? {};
      for (const [index, body] of bodiesOf(message, leftOut).entries()) {
        const key = index === 0 ? place.key : `${place.key}/${index}`;
        steps.push({ key, parentKey, timestampMs: timeOf(message.timestamp), body });
        parentKey = key;
      }
      ends.set(place, parentKey);
    }
    return {
      product: "gemini-cli",
      productVersion: undefined,
      sessionId: stringOf(this.#head.sessionId),
      cwd: undefined,
      cwdSha256: stringOf(this.#head.projectHash),
      startedAtMs: timeOf(this.#head.startTime),
      name: stringOf(this.#head.summary),
      steps,
      leftOut: leftOut.counts,
    };
  }

  #addMessage(message: JsonRecord): void {
    const id = stringOf(message.id) ?? "";
    const isUpdate = this.#messages.has(id) && this.#placeOf(id) !== undefined;
    this.#messages.set(id, message);
    if (!isUpdate) this.#current = this.#placeAfter(this.#current, id);
  }

  /** The whole list anew: what it shares with what was there stays, the rest of it is a branch. */
  #follow(messages: readonly JsonRecord[]): void {
    let place: Place | undefined;
    for (const message of messages) {
      const id = stringOf(message.id);
      if (id === undefined) continue;
      this.#messages.set(id, message);
      place = this.#placeAfter(place, id);
    }
    this.#current = place;
  }

  /** Takes the message of that id, and all after it, back. */
  #rewind(id: string): void {
    const place = this.#placeOf(id);
    if (place !== undefined) this.#current = place.parent;
  }

  /** The place of a message on the way to where the talk stands. */
  #placeOf(id: string): Place | undefined {
    let place = this.#current;
    while (place !== undefined && place.id !== id) place = place.parent;
    return place;
  }

  #placeAfter(parent: Place | undefined, id: string): Place {
    const name = `${parent?.key ?? ""}>${id}`;
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = { key: `${this.#places.size}`, id, parent };
    this.#places.set(name, place);
    return place;
  }
}

function bodiesOf(message: JsonRecord, leftOut: LeftOut): readonly ForeignBody[] {
  const timestamp = timeOf(message.timestamp) ?? 0;
  const content = contentOf(message.content, leftOut);
  if (message.type === "gemini") return answerBodies(message, content, timestamp, leftOut);
  const isContext = content.every((block) => block.type === "text" && CONTEXT_TEXT.test(block.text));
  if (message.type === "user" && content.length > 0 && !isContext)
    return [{ type: "message", message: { role: "user", content, timestamp } }];
  leftOut.add("notes of the program");
  return [];
}

function answerBodies(
  message: JsonRecord,
  content: readonly (TextContent | ImageContent)[],
  timestamp: number,
  leftOut: LeftOut,
): readonly ForeignBody[] {
  const calls = recordsOf(message.toolCalls);
  const thoughts = recordsOf(message.thoughts).map(({ subject, description }) =>
    [stringOf(subject), stringOf(description)].filter((text) => text !== undefined).join("\n"),
  );
  const blocks: readonly AssistantContent[] = [
    ...thoughts.map((thinking) => ({ type: "thinking", thinking }) as const),
    ...content.filter((block) => block.type === "text"),
    ...calls.map(
      ({ id, name, args }) =>
        ({
          type: "toolCall",
          id: stringOf(id) ?? "",
          name: stringOf(name) ?? "",
          arguments: recordOf(args),
        }) as const,
    ),
  ];
  const answer: ForeignBody = {
    type: "message",
    message: {
      role: "assistant",
      content: blocks,
      api: "google-generative-ai",
      provider: "google",
      model: stringOf(message.model) ?? "",
      usage: ZERO_USAGE,
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      timestamp,
    },
    counts: countsOf(recordOf(message.tokens)),
  };
  return [answer, ...calls.flatMap((call) => resultBodies(call, timestamp, leftOut))];
}

/** A call without a result was never answered. */
function resultBodies(call: JsonRecord, timestamp: number, leftOut: LeftOut): readonly ForeignBody[] {
  if (call.result === undefined || call.result === null) return [];
  const content = contentOf(call.result, leftOut);
  return [
    {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId: stringOf(call.id) ?? "",
        toolName: stringOf(call.name) ?? "",
        content,
        isError: FAILED_STATUSES.has(call.status),
        timestamp: timeOf(call.timestamp) ?? timestamp,
      },
    },
  ];
}

/** A text, a part, or a list of both. */
function contentOf(content: unknown, leftOut: LeftOut): readonly (TextContent | ImageContent)[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part): readonly (TextContent | ImageContent)[] => {
    if (typeof part === "string") return textBlocks(part);
    if (!isRecord(part)) return [];
    if (typeof part.text === "string") return textBlocks(part.text);
    if (isRecord(part.inlineData)) return imageBlocks(part.inlineData.data, part.inlineData.mimeType);
    if (isRecord(part.functionResponse))
      return textBlocks(responseText(recordOf(part.functionResponse.response)));
    leftOut.add("parts of other kinds");
    return [];
  });
}

function responseText(response: JsonRecord): string {
  const text = stringOf(response.output) ?? stringOf(response.error);
  return text ?? JSON.stringify(response);
}

/** Cached tokens are within the input there, and thoughts beside the output. */
function countsOf(tokens: JsonRecord): TokenCounts {
  const cacheRead = countOf(tokens.cached);
  const reasoning = countOf(tokens.thoughts);
  return {
    input: Math.max(0, countOf(tokens.input) - cacheRead),
    output: countOf(tokens.output) + reasoning,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}
