import type { AssistantContent, AssistantMessage, StopReason } from "../message.ts";
import { ProviderError } from "../provider-error.ts";
import type { ChatRequest } from "../request.ts";
import type { StreamEvent } from "../stream-event.ts";
import { parseToolArguments } from "../tool-arguments.ts";
import { type Usage, ZERO_USAGE } from "../usage.ts";

/** How an answer ended well; everything else is thrown as a `ProviderError`. */
export type GoodStop = Extract<StopReason, "stop" | "length" | "toolUse">;

/** A block under construction. `text` is the text, the thinking or the raw arguments; `pieces` waits to be joined. */
interface Draft {
  readonly kind: "text" | "thinking" | "toolCall";
  readonly contentIndex: number;
  text: string;
  id: string;
  name: string;
  signature: string | undefined;
  redacted: boolean;
  block: AssistantContent | undefined;
}

export interface AnswerBuilderOptions {
  readonly request: Pick<ChatRequest, "model" | "thinkingLevel">;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Turns what a decoder reads off the wire into stream events with one order for all providers.
 *
 * Blocks are named by the decoder's own keys and take their place in the order of first appearance. A key that comes
 * again for a block of another kind, or with more for one that has ended, names a new block. Events wait until they are
 * drained.
 */
export class AnswerBuilder {
  readonly #options: AnswerBuilderOptions;
  readonly #startedAt: number;
  readonly #drafts: Draft[] = [];
  /** The block that a key names now. */
  readonly #named = new Map<string, Draft>();
  #events: StreamEvent[] = [];
  #head: Pick<AssistantMessage, "responseId" | "responseModel"> | undefined;
  #usage: Usage = ZERO_USAGE;
  #isFinished = false;

  constructor(options: AnswerBuilderOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get hasCalls(): boolean {
    return this.#drafts.some((draft) => draft.kind === "toolCall");
  }

  /** Events since the last drain. */
  drain(): readonly StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Announces the answer; later calls only add what was not known yet. */
  start(head: { readonly id?: unknown; readonly model?: unknown }): void {
    const known = this.#head;
    // Some formats repeat the head in every chunk.
    if (known?.responseId !== undefined && (known.responseModel !== undefined || !this.#isOther(head.model)))
      return;
    this.#head = {
      ...(typeof head.id === "string" && head.id !== "" ? { responseId: head.id } : {}),
      ...(this.#isOther(head.model) ? { responseModel: head.model } : {}),
      ...known,
    };
    if (known !== undefined) return;
    const { durationMs: _, ...message } = this.message("stop");
    this.#events.push({ type: "start", message });
  }

  setUsage(usage: Usage): void {
    this.#usage = usage;
  }

  /** Adds visible text; an empty delta opens nothing. */
  text(key: string, delta: string): void {
    if (delta === "") return;
    const draft = this.#openFor(key, "text") ?? this.#add(key, "text");
    draft.text += delta;
    this.#events.push({ type: "text_delta", contentIndex: draft.contentIndex, delta });
  }

  /** Adds reasoning text; an empty delta opens the block, since a signature may follow. */
  thinking(key: string, delta: string): void {
    if (delta === "" && this.#named.get(key)?.kind === "thinking") return;
    const draft = this.#openFor(key, "thinking") ?? this.#add(key, "thinking");
    if (delta === "") return;
    draft.text += delta;
    this.#events.push({ type: "thinking_delta", contentIndex: draft.contentIndex, delta });
  }

  /** Opaque provider data of a text, thinking or call block; kept byte for byte. */
  sign(key: string, signature: string, options?: { readonly redacted: boolean }): void {
    const draft = this.#named.get(key);
    if (draft === undefined) return;
    draft.signature = signature;
    draft.redacted = options?.redacted ?? draft.redacted;
  }

  /** Opens a call; one that is announced again is the same. */
  call(key: string, call: { readonly id: string; readonly name: string }): void {
    const known = this.#named.get(key);
    if (this.#openFor(key, "toolCall") !== undefined) return;
    if (known?.kind !== "toolCall" || known.id !== call.id) this.#add(key, "toolCall", call);
  }

  /** Adds raw argument text to an open call; what belongs to none is passed over. */
  callArguments(key: string, delta: string): void {
    const draft = this.#openFor(key, "toolCall");
    if (draft === undefined || delta === "") return;
    draft.text += delta;
    this.#events.push({ type: "toolcall_delta", contentIndex: draft.contentIndex, delta });
  }

  /** Ends a block; unknown and closed keys are ignored. `isCut` marks a call whose text the model did not finish. */
  close(key: string, options: { readonly isCut: boolean } = { isCut: false }): void {
    const draft = this.#named.get(key);
    if (draft !== undefined) this.#end(draft, options.isCut);
  }

  /** Ends a block whose end the server announced; a call with broken arguments waits for the reason of the stop. */
  closeWhole(key: string): void {
    const draft = this.#named.get(key);
    const isBroken =
      draft?.kind === "toolCall" && parseToolArguments(draft.text, { isCut: true }).argumentsError;
    if (!isBroken) this.close(key);
  }

  /** Ends the answer. Throws `empty_response` for one that says nothing: silence is not success. */
  finish(stop: GoodStop): void {
    if (this.#isFinished) return;
    this.start({});
    for (const draft of this.#drafts) this.#end(draft, stop === "length");
    const message = this.message(stop);
    const says = message.content.some((block) =>
      block.type === "text" ? block.text.trim() !== "" : block.type === "toolCall",
    );
    if (!says && stop !== "length") {
      throw new ProviderError({
        code: "empty_response",
        message: `${this.#options.request.model.provider} answered without text and without a tool call.`,
      });
    }
    this.#isFinished = true;
    this.#events.push({ type: "done", message });
  }

  /** What has arrived, for an answer that broke off; undefined before `start`. */
  partial(): AssistantMessage | undefined {
    return this.#head === undefined ? undefined : this.message("error");
  }

  /** The message so far, as one that ends for `stopReason`. */
  message(stopReason: StopReason): AssistantMessage {
    const { model, thinkingLevel } = this.#options.request;
    const now = this.#options.now();
    return {
      role: "assistant",
      content: this.#drafts.map((draft) => draft.block ?? blockOf(draft, true)),
      api: model.api,
      provider: model.provider,
      model: model.id,
      ...this.#head,
      usage: this.#usage,
      stopReason,
      ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
      ...(now > this.#startedAt ? { durationMs: now - this.#startedAt } : {}),
      timestamp: this.#startedAt,
    };
  }

  #isOther(model: unknown): model is string {
    return typeof model === "string" && model !== "" && model !== this.#options.request.model.id;
  }

  /** The block of this kind that `key` names and that has not ended. */
  #openFor(key: string, kind: Draft["kind"]): Draft | undefined {
    const draft = this.#named.get(key);
    return draft?.kind === kind && draft.block === undefined ? draft : undefined;
  }

  #add(key: string, kind: Draft["kind"], call = { id: "", name: "" }): Draft {
    this.start({});
    const contentIndex = this.#drafts.length;
    const draft: Draft = {
      kind,
      contentIndex,
      ...call,
      text: "",
      signature: undefined,
      redacted: false,
      block: undefined,
    };
    this.#drafts.push(draft);
    this.#named.set(key, draft);
    if (kind === "toolCall") this.#events.push({ type: "toolcall_start", contentIndex, ...call });
    else this.#events.push({ type: kind === "text" ? "text_start" : "thinking_start", contentIndex });
    return draft;
  }

  #end(draft: Draft, isCut: boolean): void {
    if (draft.block !== undefined) return;
    draft.block = blockOf(draft, isCut);
    this.#events.push(endEvent(draft.contentIndex, draft.block));
  }
}

function blockOf(draft: Draft, isCut: boolean): AssistantContent {
  const { text, signature } = draft;
  switch (draft.kind) {
    case "text":
      return { type: "text", text, ...(signature === undefined ? {} : { textSignature: signature }) };
    case "thinking":
      return {
        type: "thinking",
        thinking: text,
        ...(signature === undefined ? {} : { thinkingSignature: signature }),
        ...(draft.redacted ? { redacted: true } : {}),
      };
    case "toolCall":
      return {
        type: "toolCall",
        id: draft.id,
        name: draft.name,
        ...parseToolArguments(text, { isCut }),
        ...(signature === undefined ? {} : { thoughtSignature: signature }),
      };
  }
}

function endEvent(contentIndex: number, block: AssistantContent): StreamEvent {
  switch (block.type) {
    case "text":
      return { type: "text_end", contentIndex, block };
    case "thinking":
      return { type: "thinking_end", contentIndex, block };
    case "toolCall":
      return { type: "toolcall_end", contentIndex, block };
  }
}
