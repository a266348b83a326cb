import type { AssistantContent, ImageContent, StopReason, TextContent, TokenCounts } from "@coppice/ai";
import { ZERO_USAGE } from "@coppice/ai";
import type { ForeignBody, ForeignConversation, ForeignReader, ForeignStep } from "./foreign-conversation.ts";
import {
  countOf,
  imageBlocks,
  type JsonRecord,
  recordOf,
  recordsOf,
  stringOf,
  textBlocks,
  timeOf,
} from "./json-shape.ts";
import { LeftOut } from "./left-out.ts";

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "toolUse",
  max_tokens: "length",
};

interface Answer {
  readonly key: string;
  readonly blocks: AssistantContent[];
  record: JsonRecord;
}

/**
 * Reads a transcript of Claude Code 1 and 2: a line per block of an answer, linked by `parentUuid` (as seen in files of
 * 2.1). Blocks of one answer become one message, results of its calls follow one another, and branches stay branches.
 */
export class ClaudeCodeReader implements ForeignReader {
  readonly #steps: ForeignStep[] = [];
  readonly #leftOut = new LeftOut();
  /** What a line stands for when another one names it as its parent. */
  readonly #places = new Map<string, string | null>();
  readonly #answers = new Map<string, Answer>();
  /** Calls by id: name, and the key of their answer. */
  readonly #calls = new Map<string, { readonly name: string; readonly answerKey: string }>();
  /** The answer that a result belongs to, and the last result of each answer. */
  readonly #answerOfResult = new Map<string, string>();
  readonly #lastResult = new Map<string, string>();
  #head: JsonRecord = {};
  #tokensBeforeCompaction = 0;
  #name: string | undefined;

  /** Whether a record is one of such a file. */
  static knows(record: JsonRecord): boolean {
    const isLine = typeof record.type === "string" && typeof record.sessionId === "string";
    return isLine || (record.type === "summary" && typeof record.leafUuid === "string");
  }

  add(record: JsonRecord): void {
    const uuid = stringOf(record.uuid);
    const type = stringOf(record.type) ?? "";
    if (type === "custom-title") this.#name = stringOf(record.customTitle) ?? this.#name;
    else if (type === "summary") this.#name ??= stringOf(record.summary);
    if (uuid === undefined || this.#places.has(uuid)) return;
    if (stringOf(this.#head.cwd) === undefined) this.#head = record;
    const parentKey = this.#parentOf(record);
    this.#places.set(uuid, parentKey);
    if (record.isSidechain === true) this.#leftOut.add("lines of subagents");
    else if (type === "assistant") this.#addAnswer(record, uuid, parentKey);
    else if (type === "user") this.#addInput(record, uuid, parentKey);
    else if (record.subtype === "compact_boundary") {
      this.#tokensBeforeCompaction = countOf(recordOf(record.compactMetadata).preTokens);
    } else this.#leftOut.add("notes of the program");
  }

  end(): ForeignConversation {
    const answers = new Map([...this.#answers.values()].map((answer) => [answer.key, answer]));
    const steps = this.#steps.map((step) => {
      const answer = answers.get(step.key);
      return answer === undefined ? step : { ...step, body: answerBody(answer, step.timestampMs) };
    });
    return {
      product: "claude-code",
      productVersion: stringOf(this.#head.version),
      sessionId: stringOf(this.#head.sessionId),
      cwd: stringOf(this.#head.cwd),
      startedAtMs: steps[0]?.timestampMs,
      name: this.#name,
      steps,
      leftOut: this.#leftOut.counts,
    };
  }

  /** A line whose parent is not in the file goes on from the one before it: nothing said before is lost to it. */
  #parentOf({ parentUuid, logicalParentUuid }: JsonRecord): string | null {
    const uuid = stringOf(parentUuid) ?? stringOf(logicalParentUuid);
    if (uuid === undefined) return null;
    const place = this.#places.get(uuid);
    const key = place === undefined ? (this.#steps.at(-1)?.key ?? null) : place;
    return this.#afterResults(key);
  }

  /** What follows one result of an answer follows them all. */
  #afterResults(key: string | null): string | null {
    const answerKey = key === null ? undefined : this.#answerOfResult.get(key);
    return answerKey === undefined ? key : (this.#lastResult.get(answerKey) ?? key);
  }

  #addAnswer(record: JsonRecord, uuid: string, parentKey: string | null): void {
    const message = recordOf(record.message);
    const id = stringOf(message.id) ?? uuid;
    let answer = this.#answers.get(id);
    if (answer === undefined) {
      answer = { key: uuid, blocks: [], record };
      this.#answers.set(id, answer);
      this.#push(record, uuid, parentKey, answerBody(answer, undefined));
    }
    answer.record = record;
    this.#places.set(uuid, answer.key);
    for (const block of contentRecords(message.content)) this.#addBlock(answer, block);
  }

  #addBlock(answer: Answer, block: JsonRecord): void {
    const type = stringOf(block.type) ?? "";
    if (type === "text") answer.blocks.push({ type, text: stringOf(block.text) ?? "" });
    else if (type === "thinking") {
      const signature = stringOf(block.signature);
      const thinking = stringOf(block.thinking) ?? "";
      answer.blocks.push({ type, thinking, ...(signature ? { thinkingSignature: signature } : {}) });
    } else if (type === "redacted_thinking") {
      const signature = stringOf(block.data) ?? "";
      answer.blocks.push({ type: "thinking", thinking: "", thinkingSignature: signature, redacted: true });
    } else if (type === "tool_use") {
      const id = stringOf(block.id) ?? "";
      const name = stringOf(block.name) ?? "";
      answer.blocks.push({ type: "toolCall", id, name, arguments: recordOf(block.input) });
      this.#calls.set(id, { name, answerKey: answer.key });
    } else this.#leftOut.add(`blocks of the kind ${type}`);
  }

  #addInput(record: JsonRecord, uuid: string, parentKey: string | null): void {
    const { content } = recordOf(record.message);
    const results = recordsOf(content).filter(({ type }) => type === "tool_result");
    let last = parentKey;
    for (const [index, result] of results.entries()) {
      last = this.#addResult(record, index === 0 ? uuid : `${uuid}/${index}`, last, result);
    }
    const said = this.#inputContent(content);
    if (said.length > 0) {
      const key = results.length === 0 ? uuid : `${uuid}/input`;
      this.#push(record, key, last, this.#inputBody(record, said));
      last = key;
    }
    this.#places.set(uuid, last);
  }

  #addResult(record: JsonRecord, key: string, parentKey: string | null, result: JsonRecord): string {
    const toolCallId = stringOf(result.tool_use_id) ?? "";
    const call = this.#calls.get(toolCallId);
    const answerKey = call?.answerKey ?? parentKey;
    const after = answerKey === null ? null : (this.#lastResult.get(answerKey) ?? answerKey);
    this.#push(record, key, after, {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId,
        toolName: call?.name ?? "",
        content: this.#inputContent(result.content),
        isError: result.is_error === true,
        timestamp: timeOf(record.timestamp) ?? 0,
      },
    });
    if (answerKey !== null) {
      this.#answerOfResult.set(key, answerKey);
      this.#lastResult.set(answerKey, key);
    }
    return key;
  }

  #inputContent(content: unknown): readonly (TextContent | ImageContent)[] {
    return contentRecords(content).flatMap((block): readonly (TextContent | ImageContent)[] => {
      if (block.type === "text") return textBlocks(stringOf(block.text) ?? "");
      if (block.type === "tool_result") return [];
      const source = recordOf(block.source);
      const images = block.type === "image" ? imageBlocks(source.data, source.media_type) : [];
      if (images.length === 0) this.#leftOut.add(`blocks of the kind ${stringOf(block.type) ?? "unknown"}`);
      return images;
    });
  }

  #inputBody(record: JsonRecord, content: readonly (TextContent | ImageContent)[]): ForeignBody {
    if (record.isCompactSummary === true) {
      const summary = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      return { type: "compaction", summary, tokensBefore: this.#tokensBeforeCompaction };
    }
    if (record.isMeta === true) return { type: "custom_message", customType: "claude-code.note", content };
    return { type: "message", message: { role: "user", content, timestamp: timeOf(record.timestamp) ?? 0 } };
  }

  #push(record: JsonRecord, key: string, parentKey: string | null, body: ForeignBody): void {
    this.#steps.push({ key, parentKey, timestampMs: timeOf(record.timestamp), body });
  }
}

/** Content as blocks; a text is one block. */
function contentRecords(content: unknown): readonly JsonRecord[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
}

function answerBody({ record, blocks }: Answer, timestampMs: number | undefined): ForeignBody {
  const message = recordOf(record.message);
  const isError = record.isApiErrorMessage === true;
  const hasCalls = blocks.some(({ type }) => type === "toolCall");
  const responseId = stringOf(message.id);
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  return {
    type: "message",
    message: {
      role: "assistant",
      content: isError ? [] : blocks,
      api: "anthropic-messages",
      provider: "anthropic",
      model: stringOf(message.model) ?? "",
      ...(responseId === undefined ? {} : { responseId }),
      usage: ZERO_USAGE,
      stopReason: isError
        ? "error"
        : (STOP_REASONS[stringOf(message.stop_reason) ?? ""] ?? (hasCalls ? "toolUse" : "stop")),
      ...(isError ? { errorMessage: text } : {}),
      timestamp: timestampMs ?? 0,
    },
    counts: countsOf(recordOf(message.usage)),
  };
}

function countsOf(usage: JsonRecord): TokenCounts {
  const longWrites = countOf(recordOf(usage.cache_creation).ephemeral_1h_input_tokens);
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite: countOf(usage.cache_creation_input_tokens),
    ...(longWrites === 0 ? {} : { cacheWrite1h: longWrites }),
  };
}
