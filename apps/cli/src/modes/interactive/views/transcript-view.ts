import type { AgentEvent, AgentMessage } from "@coppice/agent";
import { type AssistantMessage, type ImageContent, type ToolCall, textOf, toolCallsOf } from "@coppice/ai";
import type { LoginNames } from "../../../render/answer-advice.ts";
import { shellLine } from "../../../render/shell-line.ts";
import type { Highlighter } from "../highlight/highlighter.ts";
import { withFileNames } from "../mentioned-files.ts";
import { SafeContainer } from "../safe-container.ts";
import type { Paint, Tone } from "../theme.ts";
import { AssistantView } from "./assistant-view.ts";
import { failureLines } from "./failure-lines.ts";
import { ImageView } from "./image-view.ts";
import { Notices } from "./notices.ts";
import { TextView, type TextViewOptions } from "./text-view.ts";
import { ToolCard } from "./tool-card.ts";

/** What is known of messages that are shown again, beside themselves. */
export interface ShownAgain {
  /** How long their calls took, in milliseconds by the id of the call. */
  readonly durationsMs?: ReadonlyMap<string, number>;
  /** Whether notices that follow one of these messages, or none, stay where they are (default: false). */
  readonly keepsNotices?: boolean;
}

/** How grave a notice is. */
export type NoticeLevel = "info" | "warning" | "error";

const NOTICE_TONES: Readonly<Record<NoticeLevel, Tone>> = { info: "dim", warning: "warning", error: "error" };

/** Of a session that is shown again, the latest ones: each is sent to the terminal whole. */
const MAX_REDRAWN_IMAGES = 8;

/** Of an answer, what one frame takes in: 160 kB a second, which no model writes. */
const MAX_FRAME_CHARACTERS = 8_000;

const NO_LOGINS: LoginNames = new Set();

/** The conversation on the screen: it turns the agent's messages and events into views. */
export class TranscriptView extends SafeContainer {
  readonly #paint: Paint;
  readonly #highlighter: Highlighter | undefined;
  readonly #logins: () => LoginNames;
  readonly #cards = new Map<string, ToolCard>();
  readonly #notices = new Notices(this);
  #answer: AssistantView | undefined;
  /** Of the session that is being shown again, oldest first. */
  #replayedImages: ImageView[] | undefined;
  #isExpanded = false;
  #showsThinking = false;

  /** Without a highlighter, code is plain. `logins` are the providers that people log in with, at that moment. */
  constructor(paint: Paint, highlighter?: Highlighter, logins: () => LoginNames = () => NO_LOGINS) {
    super();
    this.#paint = paint;
    this.#highlighter = highlighter;
    this.#logins = logins;
  }

  /** Shows these messages and nothing else; what calls without a result among them did is not known. */
  reset(messages: readonly AgentMessage[], { durationsMs, keepsNotices = false }: ShownAgain = {}): void {
    this.clear();
    this.#notices.begin({ keeps: keepsNotices });
    this.#cards.clear();
    this.#answer = undefined;
    const images: ImageView[] = [];
    this.#replayedImages = images;
    for (const message of messages) this.#finish(message);
    this.#replayedImages = undefined;
    for (const image of images.slice(0, -MAX_REDRAWN_IMAGES)) image.keepLineOnly();
    // A process that was killed in a tool leaves no result, and the tool may have done its work.
    for (const card of this.#cards.values()) if (!card.isOver) card.update({ status: "unknown" });
    for (const [id, durationMs] of durationsMs ?? []) this.#cards.get(id)?.update({ durationMs });
    this.#notices.end();
  }

  handle(event: AgentEvent): void {
    switch (event.type) {
      case "agent_start":
        this.#highlighter?.prepare();
        break;
      case "message_start":
        if (event.message.role === "assistant") this.#openAnswer(event.message);
        break;
      case "message_update":
        this.#growAnswer(event);
        break;
      case "message_end":
        this.#finish(event.message);
        break;
      case "tool_execution_start":
        this.#card(event.toolCallId, event.toolName, event.args).update({
          status: "running",
          args: event.args,
        });
        break;
      case "tool_execution_update":
        this.#cards.get(event.toolCallId)?.update({ output: textOf(event.partial.content) });
        break;
      case "tool_execution_end":
        this.#cards.get(event.toolCallId)?.showImages(this.#imageViews(event.result.content));
        this.#cards.get(event.toolCallId)?.update({
          status: event.isError ? "failed" : "ok",
          output: textOf(event.result.content),
          details: event.result.details,
          durationMs: event.durationMs,
        });
        break;
      default:
    }
  }

  /**
   * Shows what has been added to the answer in progress: once per frame, not per delta (fault kind UI-17), and no more
   * than a frame can draw without a key having to wait. Whether there is more.
   */
  advance(): boolean {
    return this.#answer?.advance(MAX_FRAME_CHARACTERS) ?? false;
  }

  /** A person is asked whether a call may run, or has answered; calls that are not shown are let be. */
  setWaiting(toolCallId: string, isWaiting: boolean): void {
    const card = this.#cards.get(toolCallId);
    if (isWaiting && card?.isOver === false) card.update({ status: "waiting" });
    else if (!isWaiting && card?.isWaiting === true) card.update({ status: "running" });
  }

  notice(text: string, level: NoticeLevel = "info"): void {
    this.#notices.add(text, new TextView({ text, tone: NOTICE_TONES[level], paint: this.#paint }));
  }

  /** Whether a notice of this text is shown. */
  says(text: string): boolean {
    return this.#notices.has(text);
  }

  toggleExpanded(): void {
    this.#isExpanded = !this.#isExpanded;
    for (const card of this.#cards.values()) card.update({ isExpanded: this.#isExpanded });
  }

  toggleThinking(): void {
    this.#showsThinking = !this.#showsThinking;
  }

  /** The run is over: whatever has not begun by now never will, and what has begun will not tell how it ended. */
  closeOpenCards(): void {
    for (const card of this.#cards.values()) {
      if (!card.isOver) card.update({ status: card.isRunning ? "unknown" : "dropped" });
    }
  }

  #finish(message: AgentMessage): void {
    if (message.role === "system") return;
    this.#show(message);
    this.#notices.follow(message);
  }

  #show(message: Exclude<AgentMessage, { role: "system" }>): void {
    if (message.role === "assistant") this.#closeAnswer(message);
    else if (message.role === "toolResult") this.#showResult(message);
    else {
      const text = asideText(message);
      if (text === undefined) return;
      this.addChild(new TextView({ ...text, paint: this.#paint }));
      for (const view of this.#imageViews(imagesOf(message))) this.addChild(view);
    }
  }

  #imageViews(content: readonly { readonly type: string }[]): readonly ImageView[] {
    const views = content
      .filter((block): block is ImageContent => block.type === "image")
      .map((image) => new ImageView(image, this.#paint));
    this.#replayedImages?.push(...views);
    return views;
  }

  #openAnswer(message: AssistantMessage): void {
    this.#answer = new AssistantView({
      paint: this.#paint,
      highlighter: this.#highlighter,
      showsThinking: () => this.#showsThinking,
    });
    this.addChild(this.#answer);
    this.#updateAnswer(message);
  }

  #growAnswer({ message, event }: Extract<AgentEvent, { type: "message_update" }>): void {
    if (event.type === "text_delta" || event.type === "thinking_delta") this.#answer?.grow(message, event);
    // The arguments of a call are there when it is whole.
    else if (event.type !== "toolcall_delta") this.#updateAnswer(message);
  }

  #updateAnswer(message: AssistantMessage): void {
    this.#answer?.update(message);
    for (const call of calls(message)) this.#card(call.id, call.name, call.arguments);
  }

  #closeAnswer(message: AssistantMessage): void {
    if (this.#answer === undefined) this.#openAnswer(message);
    this.#updateAnswer(message);
    this.#answer?.finish();
    this.#answer = undefined;
    for (const call of calls(message)) this.#card(call.id, call.name).update({ args: call.arguments });
    const failure = failureLines(message, this.#logins());
    if (failure !== undefined) {
      this.addChild(new TextView({ text: failure, tone: "error", mark: "✗ ", paint: this.#paint }));
    }
    if (message.stopReason === "error" || message.stopReason === "aborted") this.#dropCalls(message);
  }

  /** Calls of an answer that failed never run. */
  #dropCalls(message: AssistantMessage): void {
    for (const call of calls(message)) {
      const card = this.#card(call.id, call.name);
      if (!card.isOver) card.update({ status: "dropped" });
    }
  }

  #showResult(message: Extract<AgentMessage, { role: "toolResult" }>): void {
    const card = this.#card(message.toolCallId, message.toolName);
    if (card.isOver) return;
    card.showImages(this.#imageViews(message.content));
    card.update({
      status: message.isError ? "failed" : "ok",
      output: textOf(message.content),
      details: message.details,
    });
  }

  #card(id: string, toolName: string, args: Readonly<Record<string, unknown>> = {}): ToolCard {
    const known = this.#cards.get(id);
    if (known !== undefined) return known;
    const card = new ToolCard({
      ...{ toolName, args, isExpanded: this.#isExpanded },
      ...{ paint: this.#paint, highlighter: this.#highlighter },
    });
    this.#cards.set(id, card);
    this.addChild(card);
    return card;
  }
}

/** A message in progress may have holes where blocks have not begun. */
function calls(message: AssistantMessage): readonly ToolCall[] {
  return toolCallsOf({ ...message, content: message.content.filter((block) => block !== undefined) });
}

type Aside = Exclude<AgentMessage, { role: "system" | "assistant" | "toolResult" }>;

/** How a message that is no part of the model's own turn reads; undefined for those that are not for people. */
function asideText(message: Aside): Omit<TextViewOptions, "paint"> | undefined {
  switch (message.role) {
    case "user":
      return { text: writtenText(message.content), tone: "user", mark: "› " };
    case "bashExecution":
      return { text: `${shellLine(message)}\n${message.output}`, tone: "dim" };
    case "custom":
      return message.display ? { text: writtenText(message.content), tone: "dim", mark: "◆ " } : undefined;
    case "compactionSummary":
      return { text: `Summary of what came before\n${message.summary}`, tone: "dim", mark: "≡ " };
    case "branchSummary":
      return { text: `Summary of another branch\n${message.summary}`, tone: "dim", mark: "≡ " };
    default:
      // A role that an application added: nothing here knows how it reads.
      return undefined;
  }
}

/** The images stand below. */
function writtenText(content: Extract<AgentMessage, { role: "user" }>["content"]): string {
  if (typeof content === "string") return withFileNames(content);
  return content.flatMap((block) => (block.type === "text" ? [withFileNames(block.text)] : [])).join("\n");
}

/** The images that a message brings to the screen; none of those that are not for people. */
function imagesOf(message: AgentMessage): readonly ImageContent[] {
  if (message.role === "custom" && !message.display) return [];
  if (message.role !== "user" && message.role !== "toolResult" && message.role !== "custom") return [];
  return typeof message.content === "string" ? [] : message.content.filter((block) => block.type === "image");
}
