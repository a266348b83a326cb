import type { Agent, AgentMessage, HookRunner } from "@coppice/agent";
import type { ImageContent, UserMessage } from "@coppice/ai";
import type { ArrivingMessages, QueueKind } from "./arriving-messages.ts";
import { messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { inputMessage } from "./input-message.ts";
import type { OperationGate } from "./operation-gate.ts";
import { hasQueued, type PromptRun } from "./prompt-run.ts";

export interface PromptOptions {
  readonly images?: readonly ImageContent[];
}

/** What the user said, before a hook has heard it. */
interface Said extends PromptOptions {
  readonly text: string;
  readonly message: UserMessage;
}

export interface PromptingOptions {
  readonly agent: Agent;
  readonly gate: OperationGate;
  readonly run: PromptRun;
  /** Those that the run waits for. */
  readonly arriving: ArrivingMessages;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly events: EventBus;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** How the user's words reach the agent: at once, or through its queues. */
export class Prompting {
  readonly #options: PromptingOptions;
  #shownQueue: readonly AgentMessage[] = [];
  /** Prompts that were stopped before they were sent; undefined = they are dropped. */
  #unsent: Said[] | undefined;

  constructor(options: PromptingOptions) {
    this.#options = options;
  }

  /** Throws `agent_busy`, `agent_disposed`, `empty_prompt`; what fails later ends in the transcript. */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    const { agent, run, now } = this.#options;
    const said: Said = { ...options, text, message: inputMessage({ ...options, text, now: now() }) };
    await this.#settling(async (signal) => {
      const stopped = Promise.withResolvers<undefined>();
      signal.addEventListener("abort", () => stopped.resolve(undefined), { once: true });
      // A hook that hangs on a prompt that was stopped holds nothing up.
      const heard = await Promise.race([this.#heard(said, signal), stopped.promise]);
      const isSent = heard !== undefined && !signal.aborted && (await run.run(agent, heard, signal));
      if (!isSent) this.#unsent?.push(said);
    });
  }

  /** Queues for the next request of what runs; when nothing runs, prompts. */
  steer(text: string, options: PromptOptions = {}): void {
    this.#enqueue(text, options, "steering");
  }

  /** Queues for the end of what runs; when nothing runs, prompts. */
  followUp(text: string, options: PromptOptions = {}): void {
    this.#enqueue(text, options, "followUp");
  }

  /** From now on a prompt that is stopped before it was sent waits before all that is queued. */
  keepUnsent(): void {
    this.#unsent ??= [];
  }

  /** Queues the prompts that were kept, for the next one to take along. */
  queueUnsent(): void {
    const kept = this.#unsent ?? [];
    this.#unsent = undefined;
    for (const said of kept) this.#queue(said, "steering");
  }

  /** Takes back what is queued: steering first, then follow-ups, each oldest first. */
  clearQueue(): readonly AgentMessage[] {
    const { agent, arriving } = this.#options;
    const { steering, followUp } = this.#queued();
    this.#unsent?.splice(0);
    agent.clearQueues();
    arriving.clear();
    void this.queueChanged();
    return [...steering, ...followUp];
  }

  /** Sends what was queued while something else than a prompt ran. */
  drain(): void {
    const { agent, gate, run, arriving } = this.#options;
    if (gate.current !== undefined || gate.isClosed) return;
    if (!hasQueued(agent) && arriving.size === 0) return;
    this.#inBackground(this.#settling((signal) => run.run(agent, undefined, signal)));
  }

  /** Tells listeners of the queue if it is another one than they know. */
  async queueChanged(): Promise<void> {
    const { steering, followUp } = this.#queued();
    const shown = this.#shownQueue;
    const queue = [...steering, ...followUp];
    if (queue.length === shown.length && queue.every((message, at) => message === shown[at])) return;
    this.#shownQueue = queue;
    await this.#options.events.emit({ type: "queue_update", steering, followUp });
  }

  /** What waits, oldest first; a message that the hook has now stands there as it was sent. */
  #queued(): { readonly [Kind in QueueKind]: readonly AgentMessage[] } {
    const { agent, arriving } = this.#options;
    const { steering, followUp } = agent.queued;
    const unsent = (this.#unsent ?? []).map(({ message }) => message);
    return {
      steering: [...unsent, ...steering, ...arriving.of("steering")],
      followUp: [...followUp, ...arriving.of("followUp")],
    };
  }

  /** What the user said, as the hook leaves it. Throws `empty_prompt` when it leaves nothing. */
  async #heard({ text, images = [], message }: Said, signal: AbortSignal): Promise<UserMessage> {
    const { hooks, now } = this.#options;
    const input = await hooks.run("input", { text, images }, signal);
    const hasImages =
      input.images.length === images.length && images.every((image, at) => image === input.images[at]);
    return input.text === text && hasImages ? message : inputMessage({ ...input, now: now() });
  }

  /** Runs a prompt; `agent_settled` comes once the next operation may start. */
  async #settling(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const { gate, agent, events } = this.#options;
    let signal: AbortSignal | undefined;
    try {
      await gate.run("prompt", (own) => {
        signal = own;
        return work(own);
      });
    } finally {
      if (signal !== undefined) await events.emit({ type: "agent_settled", aborted: signal.aborted });
    }
    // Queued between the last look of the run and its end.
    if (signal?.aborted === false && agent.state.error === undefined) this.drain();
  }

  #enqueue(text: string, options: PromptOptions, kind: QueueKind): void {
    const { gate, now } = this.#options;
    gate.refuseClosed("queue a message");
    const message = inputMessage({ ...options, text, now: now() });
    if (gate.current === undefined) this.#inBackground(this.prompt(text, options));
    else this.#queue({ ...options, text, message }, kind);
  }

  #queue(said: Said, kind: QueueKind): void {
    const { agent, arriving, hooks, events } = this.#options;
    const { message } = said;
    const queue = (heard: UserMessage) => (kind === "steering" ? agent.steer(heard) : agent.followUp(heard));
    if (arriving.size > 0 || hooks.has("input")) {
      const arrived = arriving.add({
        ...{ kind, message, queue },
        work: (signal) => this.#heard(said, signal),
        onFailure: (error) => events.report(`A queued message is not sent: ${messageOf(error)}`, "error"),
      });
      void arrived.then(() => this.queueChanged());
    } else queue(message);
    void this.queueChanged();
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.events.report(messageOf(error), "error"));
  }
}
