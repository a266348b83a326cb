import type { AgentMessage } from "./messages.ts";

/** How many queued messages enter a turn: the oldest one, or all. */
export type QueueMode = "one-at-a-time" | "all";

/** Messages that wait for their turn, oldest first. Each leaves exactly once. */
export class MessageQueue {
  mode: QueueMode;
  #messages: AgentMessage[] = [];

  constructor(mode: QueueMode = "one-at-a-time") {
    this.mode = mode;
  }

  get messages(): readonly AgentMessage[] {
    return this.#messages;
  }

  get size(): number {
    return this.#messages.length;
  }

  push(message: AgentMessage): void {
    this.#messages.push(message);
  }

  /** Removes and returns what enters the next turn; empty when nothing waits. */
  take(): readonly AgentMessage[] {
    return this.mode === "all" ? this.clear() : this.#messages.splice(0, 1);
  }

  /** Removes and returns everything. */
  clear(): readonly AgentMessage[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }
}
