import type { Agent, AgentMessage, HookRunner } from "@coppice/agent";
import type { ImageContent, UserMessage } from "@coppice/ai";
import { CodingAgentError, messageOf } from "./errors.ts";
import type { EventBus } from "./event-bus.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import { inputMessage } from "./input-message.ts";
import type { OperationGate } from "./operation-gate.ts";
import { hasQueued, type PromptRun } from "./prompt-run.ts";

export interface PromptOptions {
  readonly images?: readonly ImageContent[];
}

export interface PromptingOptions {
  readonly agent: Agent;
  readonly gate: OperationGate;
  readonly run: PromptRun;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly events: EventBus;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** How the user's words reach the agent: at once, or through its queues. */
export class Prompting {
  readonly #options: PromptingOptions;
  #shownQueueSize = 0;

  constructor(options: PromptingOptions) {
    this.#options = options;
  }

  /** Throws `agent_busy`, `agent_disposed`, `empty_prompt`; what fails later ends in the transcript. */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    const { agent, run, hooks, now } = this.#options;
    inputMessage({ text, images: options.images, now: now() });
    await this.#settling(async (signal) => {
      const input = await hooks.run("input", { text, images: options.images ?? [] }, signal);
      if (signal.aborted) return;
      await run.run(agent, inputMessage({ ...input, now: now() }), signal);
    });
  }

  /** Queues for the next request of what runs; when nothing runs, prompts. */
  steer(text: string, options: PromptOptions = {}): void {
    this.#enqueue(text, options, (message) => this.#options.agent.steer(message));
  }

  /** Queues for the end of what runs; when nothing runs, prompts. */
  followUp(text: string, options: PromptOptions = {}): void {
    this.#enqueue(text, options, (message) => this.#options.agent.followUp(message));
  }

  /** Takes back what is queued: steering first, then follow-ups, each oldest first. */
  clearQueue(): readonly AgentMessage[] {
    const { steering, followUp } = this.#options.agent.clearQueues();
    void this.queueChanged();
    return [...steering, ...followUp];
  }

  /** Sends what was queued while something else than a prompt ran. */
  drain(): void {
    const { agent, gate, run } = this.#options;
    if (!hasQueued(agent) || gate.current !== undefined || gate.isClosed) return;
    this.#inBackground(this.#settling((signal) => run.run(agent, undefined, signal)));
  }

  /** Tells listeners of the queue if it is another one than they know. */
  async queueChanged(): Promise<void> {
    const { steering, followUp } = this.#options.agent.queued;
    const size = steering.length + followUp.length;
    if (size === this.#shownQueueSize) return;
    this.#shownQueueSize = size;
    const { events } = this.#options;
    await events.emit({ type: "queue_update", steering: [...steering], followUp: [...followUp] });
  }

  /** Runs a prompt; `agent_settled` comes once the next operation may start. */
  async #settling(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { gate, events } = this.#options;
    let signal: AbortSignal | undefined;
    try {
      await gate.run("prompt", (own) => {
        signal = own;
        return work(own);
      });
    } finally {
      if (signal !== undefined) await events.emit({ type: "agent_settled", aborted: signal.aborted });
    }
  }

  #enqueue(text: string, options: PromptOptions, queue: (message: UserMessage) => void): void {
    const { gate, now } = this.#options;
    if (gate.isClosed) {
      throw new CodingAgentError({
        code: "agent_disposed",
        message: "Cannot queue a message: the agent is disposed.",
      });
    }
    const message = inputMessage({ text, images: options.images, now: now() });
    if (gate.current === undefined) {
      this.#inBackground(this.prompt(text, options));
      return;
    }
    queue(message);
    void this.queueChanged();
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.events.report(messageOf(error), "error"));
  }
}
