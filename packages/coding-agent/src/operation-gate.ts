import { CodingAgentError } from "./errors.ts";

/** What an agent can be busy with. */
export type Operation =
  | "prompt"
  | "compact"
  | "draft"
  | "undo"
  | "bring"
  | "edit"
  | "navigate"
  | "restore"
  | "fork"
  | "reload";

/** Why a gate is closed, as an error code. */
export type Closed = "agent_disposed" | "agent_replaced";

interface Running {
  readonly operation: Operation;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * Lets one operation run at a time, from its first await until it is over.
 *
 * `run` throws `agent_busy` naming what runs, and once closed why it is: `agent_disposed` or `agent_replaced`.
 */
export class OperationGate {
  #running: Running | undefined;
  #closed: Closed | undefined;

  get current(): Operation | undefined {
    return this.#running?.operation;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Throws `agent_disposed` or `agent_replaced` once closed; `what` names what is refused. */
  refuseClosed(what: string): void {
    if (this.#closed === undefined) return;
    const why =
      this.#closed === "agent_replaced" ? "another one has taken the agent's place" : "the agent is disposed";
    throw new CodingAgentError({ code: this.#closed, message: `Cannot ${what}: ${why}.` });
  }

  /** `work` gets a signal that fires on `abort`. */
  async run<Result>(operation: Operation, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#check(operation);
    const done = Promise.withResolvers<void>();
    const controller = new AbortController();
    this.#running = { operation, controller, done: done.promise };
    try {
      return await work(controller.signal);
    } finally {
      this.#running = undefined;
      done.resolve();
    }
  }

  /** Stops what runs; resolves once nothing does. */
  async abort(): Promise<void> {
    this.#running?.controller.abort();
    await this.waitForIdle();
  }

  /** Resolves once nothing runs, also nothing that was started by what ran. */
  async waitForIdle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.done;
  }

  /** Refuses everything from now on. */
  close(closed: Closed = "agent_disposed"): void {
    this.#closed ??= closed;
  }

  #check(operation: Operation): void {
    this.refuseClosed(`start "${operation}"`);
    if (this.#running !== undefined) {
      throw new CodingAgentError({
        code: "agent_busy",
        message: `Cannot start "${operation}": the agent is busy with "${this.#running.operation}".`,
        data: { operation: this.#running.operation },
      });
    }
  }
}
