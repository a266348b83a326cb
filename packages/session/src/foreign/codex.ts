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
  parsedRecord,
  recordOf,
  recordsOf,
  stringOf,
  textBlocks,
  timeOf,
} from "./json-shape.ts";
import { LeftOut } from "./left-out.ts";

/** How Codex begins what it says for itself in the person's place, where it does not say that it is its own. */
const HARNESS_TEXT =
  /^\s*(?:<(?:user_instructions|environment_context|turn_aborted)>|# AGENTS\.md instructions)/;
const DATA_URL = /^data:([^;,]+);base64,/;

interface Answer {
  readonly key: string;
  readonly blocks: AssistantContent[];
  readonly model: string;
  readonly timestampMs: number | undefined;
  counts: TokenCounts | undefined;
}

/**
 * Reads a rollout of Codex CLI: one `response_item` per message, call and result in their order (as seen in files of
 * 0.171). Items that the model gave in one go become one answer; turns that were rolled back become a branch.
 */
export class CodexReader implements ForeignReader {
  readonly #steps: ForeignStep[] = [];
  readonly #leftOut = new LeftOut();
  readonly #answers = new Map<string, Answer>();
  readonly #callNames = new Map<string, string>();
  readonly #turnStarts: { readonly parentKey: string | null }[] = [];
  #meta: JsonRecord | undefined;
  #model = "";
  #parentKey: string | null = null;
  #open: Answer | undefined;
  #last: Answer | undefined;
  #hasRecords = false;

  /** Whether a record is the first one of such a file. */
  static knows(record: JsonRecord): boolean {
    return record.type === "session_meta" && isRecord(record.payload);
  }

  add(record: JsonRecord): void {
    const payload = recordOf(record.payload);
    const timestampMs = timeOf(record.timestamp);
    switch (record.type) {
      case "session_meta":
        this.#meta ??= payload;
        break;
      case "turn_context":
        this.#model = stringOf(payload.model) ?? this.#model;
        break;
      case "response_item":
        this.#addItem(payload, timestampMs);
        break;
      case "compacted":
        this.#addCompaction(payload, timestampMs);
        break;
      case "token_usage_record":
        this.#hasRecords = true;
        if (this.#last !== undefined) this.#last.counts ??= countsOf(recordOf(payload.usage));
        this.#open = undefined;
        break;
      case "event_msg":
        this.#addEvent(payload);
        break;
      default:
        this.#leftOut.add("notes of the program");
    }
  }

  end(): ForeignConversation {
    const meta = this.#meta ?? {};
    const provider = stringOf(meta.model_provider) ?? "openai";
    const steps = this.#steps.map((step) => {
      const answer = this.#answers.get(step.key);
      return answer === undefined ? step : { ...step, body: answerBody(answer, provider) };
    });
    return {
      product: "codex",
      productVersion: stringOf(meta.cli_version),
      sessionId: stringOf(meta.id),
      cwd: stringOf(meta.cwd),
      startedAtMs: timeOf(meta.timestamp),
      name: undefined,
      steps,
      leftOut: this.#leftOut.counts,
    };
  }

  #addEvent(payload: JsonRecord): void {
    if (payload.type === "token_count" && !this.#hasRecords) {
      const usage = recordOf(payload.info).last_token_usage;
      if (this.#last !== undefined && isRecord(usage)) this.#last.counts ??= countsOf(usage);
    } else if (payload.type === "thread_rolled_back") {
      const turns = Math.min(countOf(payload.num_turns), this.#turnStarts.length);
      if (turns === 0) return;
      const start = this.#turnStarts.splice(this.#turnStarts.length - turns)[0];
      this.#open = undefined;
      this.#parentKey = start?.parentKey ?? null;
    }
  }

  #addItem(item: JsonRecord, timestampMs: number | undefined): void {
    const type = stringOf(item.type) ?? "";
    if (type === "message" && item.role === "assistant") {
      for (const { text } of recordsOf(item.content))
        this.#answer(timestampMs).blocks.push(...textBlocks(stringOf(text) ?? ""));
    } else if (type === "message") this.#addInput(item, timestampMs);
    else if (type === "reasoning") this.#addReasoning(item, timestampMs);
    else if (type === "function_call")
      this.#addCall(item, timestampMs, stringOf(item.name) ?? "", functionArguments(item));
    else if (type === "custom_tool_call")
      this.#addCall(item, timestampMs, stringOf(item.name) ?? "", { input: item.input });
    else if (type === "local_shell_call")
      this.#addCall(item, timestampMs, "local_shell", { ...recordOf(item.action) });
    else if (type.endsWith("_call_output")) this.#addResult(item, timestampMs);
    else this.#leftOut.add(`items of the kind ${type}`);
  }

  #addInput(item: JsonRecord, timestampMs: number | undefined): void {
    const content = inputContent(item.content);
    if (item.role !== "user" || isOfHarness(item, content)) {
      this.#leftOut.add("notes of the program");
      return;
    }
    if (content.length === 0) return;
    this.#turnStarts.push({ parentKey: this.#parentKey });
    this.#push(timestampMs, {
      type: "message",
      message: { role: "user", content, timestamp: timestampMs ?? 0 },
    });
  }

  #addReasoning(item: JsonRecord, timestampMs: number | undefined): void {
    const parts = [...recordsOf(item.summary), ...recordsOf(item.content)];
    const thinking = parts.map(({ text }) => stringOf(text) ?? "").join("\n\n");
    // Replayed to the same model as it came, encrypted reasoning included.
    const thinkingSignature =
      stringOf(item.encrypted_content) === undefined ? undefined : JSON.stringify(item);
    if (thinking === "" && thinkingSignature === undefined) return;
    const signature = thinkingSignature === undefined ? {} : { thinkingSignature };
    this.#answer(timestampMs).blocks.push({ type: "thinking", thinking, ...signature });
  }

  #addCall(item: JsonRecord, timestampMs: number | undefined, name: string, args: JsonRecord): void {
    const id = stringOf(item.call_id) ?? stringOf(item.id) ?? "";
    this.#callNames.set(id, name);
    this.#answer(timestampMs).blocks.push({ type: "toolCall", id, name, arguments: args });
  }

  #addResult(item: JsonRecord, timestampMs: number | undefined): void {
    const toolCallId = stringOf(item.call_id) ?? "";
    const { content, isError } = output(item.output);
    this.#push(timestampMs, {
      type: "message",
      message: {
        role: "toolResult",
        toolCallId,
        toolName: this.#callNames.get(toolCallId) ?? "",
        content,
        isError,
        timestamp: timestampMs ?? 0,
      },
    });
  }

  /** A summary that only its provider can read says nothing to another model: there, what it stands for is kept. */
  #addCompaction(payload: JsonRecord, timestampMs: number | undefined): void {
    const summary = stringOf(payload.message) ?? "";
    if (summary === "") {
      this.#leftOut.add("compactions that only their provider can read");
      return;
    }
    this.#turnStarts.length = 0;
    this.#push(timestampMs, { type: "compaction", summary, tokensBefore: 0 });
  }

  /** The answer that the model is giving. */
  #answer(timestampMs: number | undefined): Answer {
    if (this.#open !== undefined) return this.#open;
    const key = `${this.#steps.length}`;
    const answer: Answer = { key, blocks: [], model: this.#model, timestampMs, counts: undefined };
    this.#answers.set(key, answer);
    this.#push(timestampMs, answerBody(answer, ""));
    this.#open = answer;
    this.#last = answer;
    return answer;
  }

  #push(timestampMs: number | undefined, body: ForeignBody): void {
    const key = `${this.#steps.length}`;
    this.#steps.push({ key, parentKey: this.#parentKey, timestampMs, body });
    this.#parentKey = key;
    this.#open = undefined;
  }
}

function answerBody({ blocks, model, timestampMs, counts }: Answer, provider: string): ForeignBody {
  return {
    type: "message",
    message: {
      role: "assistant",
      content: blocks,
      api: "openai-responses",
      provider,
      model,
      usage: ZERO_USAGE,
      stopReason: blocks.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
      timestamp: timestampMs ?? 0,
    },
    counts,
  };
}

function isOfHarness(item: JsonRecord, content: readonly (TextContent | ImageContent)[]): boolean {
  const about = recordsOf(recordOf(item.internal_chat_message_metadata_passthrough).content_item_metadata);
  const origins = about.map(({ provenance }) => stringOf(recordOf(provenance).type));
  if (origins.length > 0) return !origins.includes("user");
  return content.every((block) => block.type === "text" && HARNESS_TEXT.test(block.text));
}

function inputContent(content: unknown): readonly (TextContent | ImageContent)[] {
  return recordsOf(content).flatMap((block): readonly (TextContent | ImageContent)[] => {
    if (block.type !== "input_image") return textBlocks(stringOf(block.text) ?? "");
    const url = stringOf(block.image_url) ?? "";
    const mimeType = DATA_URL.exec(url)?.[1];
    return mimeType === undefined ? textBlocks(url) : imageBlocks(url.slice(url.indexOf(",") + 1), mimeType);
  });
}

function functionArguments(item: JsonRecord): JsonRecord {
  const json = stringOf(item.arguments) ?? "";
  return parsedRecord(json) ?? (json.trim() === "" ? {} : { input: json });
}

/** What a tool gave: a text, blocks, or either in an object; older files wrap the text in JSON with the exit code. */
function output(value: unknown): {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError: boolean;
} {
  if (Array.isArray(value)) return { content: inputContent(value), isError: false };
  if (isRecord(value)) return { ...output(value.content), isError: value.success === false };
  const text = stringOf(value) ?? "";
  const wrapped = text.startsWith('{"output"') ? parsedRecord(text) : undefined;
  const inner = stringOf(wrapped?.output);
  if (inner === undefined) return { content: textBlocks(text), isError: false };
  return { content: textBlocks(inner), isError: countOf(recordOf(wrapped?.metadata).exit_code) > 0 };
}

/** Cached tokens are within the input there. */
function countsOf(usage: JsonRecord): TokenCounts {
  const cacheRead = countOf(usage.cached_input_tokens);
  const cacheWrite = countOf(usage.cache_write_input_tokens);
  const reasoning = countOf(usage.reasoning_output_tokens);
  return {
    input: Math.max(0, countOf(usage.input_tokens) - cacheRead - cacheWrite),
    output: countOf(usage.output_tokens),
    cacheRead,
    cacheWrite,
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}
