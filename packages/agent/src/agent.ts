import type { ImageContent, Model, ThinkingLevel } from "@coppice/ai";
import { type RunOutcome, runAgentLoop } from "./agent-loop.ts";
import type { RunOptions } from "./agent-run.ts";
import { AgentState } from "./agent-state.ts";
import { AgentError } from "./errors.ts";
import type { AgentEvent } from "./events.ts";
import { HookRunner, type HookSource, runHook } from "./hook-runner.ts";
import { type AgentHooks, agentHooks, type BeforeAgentStart } from "./hooks.ts";
import { type AgentListener, type Dispatch, type ListenerErrorHandler, Listeners } from "./listeners.ts";
import type { AgentMessage } from "./messages.ts";
import { type PromptInput, promptMessages } from "./prompt-messages.ts";
import { MessageQueue, type QueueMode } from "./queue.ts";
import { SettledMoment } from "./settled-moment.ts";
import type { AnyAgentTool } from "./tool.ts";
import { isAnswered } from "./transcript.ts";
import { untilAborted } from "./until-aborted.ts";

/** What the owner of an agent decides once a run has ended. */
export type RunEndDecision = "settle" | "continue";

export interface AgentOptions extends RunOptions {
  readonly model: Model;
  readonly systemPrompt?: string;
  readonly thinkingLevel?: ThinkingLevel;
  readonly tools?: readonly AnyAgentTool[];
  readonly messages?: readonly AgentMessage[];
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
  /**
   * Asked after `agent_end`: `continue` runs again on the transcript as it then is (a retry, say), before the agent
   * is settled and before `prompt` resolves. Not asked after an abort.
   */
  readonly onRunEnd?: (outcome: RunOutcome, signal: AbortSignal) => Promise<RunEndDecision>;
  /** Without it, the first error of a listener rejects the `prompt` once the run is over. */
  readonly onListenerError?: ListenerErrorHandler;
}

interface ActiveRun {
  readonly controller: AbortController;
  /** Never rejects. */
  readonly over: Promise<void>;
}

/** What is common to the parts of one busy period. */
interface BusyPeriod {
  readonly signal: AbortSignal;
  readonly listenerErrors: unknown[];
}

/** A conversation with a model that can use tools: one run at a time, messages queued meanwhile. */
export class Agent {
  readonly state: AgentState;
  readonly #options: AgentOptions & { readonly hooks: HookSource<AgentHooks> };
  readonly #queues: { readonly [Name in "steering" | "followUp" | "asides"]: MessageQueue };
  readonly #listeners = new Listeners();
  readonly #settledMoment = new SettledMoment();
  #active: ActiveRun | undefined;

  constructor(options: AgentOptions) {
    const hooks = options.hooks ?? new HookRunner(agentHooks, { onFailure: () => undefined });
    this.#options = { ...options, hooks };
    this.state = new AgentState(options);
    this.#queues = {
      steering: new MessageQueue(options.steeringMode),
      followUp: new MessageQueue(options.followUpMode),
      asides: new MessageQueue("all"),
    };
  }

  /**
   * Runs until nothing is left to do, and resolves once settled. Failures of the model are in the transcript.
   *
   * Throws `agent_busy` during another run and `nothing_to_send` for an empty prompt.
   */
  async prompt(input: PromptInput, images?: readonly ImageContent[]): Promise<void> {
    this.#refuseWhileBusy("prompt");
    const messages = promptMessages(input, { images, timestamp: this.#now() });
    return this.#start(messages);
  }

  /**
   * Runs on what is there: an unanswered message, a failed answer, or what is queued.
   *
   * Throws `agent_busy` during another run and `nothing_to_continue` when the model has had the last word.
   */
  async continue(): Promise<void> {
    this.#refuseWhileBusy("continue");
    const isQueued = this.#queuedCount() > 0;
    if (!isQueued && isAnswered(this.state.messages)) {
      throw new AgentError({ code: "nothing_to_continue", message: "Nothing waits for an answer." });
    }
    return this.#start([]);
  }

  /** Queues a message for the running work: it enters before the next model call, after the results of open calls. */
  steer(message: AgentMessage): void {
    this.#queues.steering.push(message);
  }

  /** Queues a message for when the run would end. */
  followUp(message: AgentMessage): void {
    this.#queues.followUp.push(message);
  }

  /**
   * Adds a message without asking for an answer. During a run it enters at the end of the turn, never between a call
   * and its result, and this resolves at once; when idle it enters now, and this resolves when listeners saw it.
   */
  async add(message: AgentMessage): Promise<void> {
    if (this.#active !== undefined) return this.#queues.asides.push(message);
    const period = { signal: new AbortController().signal, listenerErrors: [] };
    await this.#record(message, period);
    throwListenerError(period.listenerErrors);
  }

  /** What waits, oldest first. */
  get queued(): { readonly steering: readonly AgentMessage[]; readonly followUp: readonly AgentMessage[] } {
    return { steering: this.#queues.steering.messages, followUp: this.#queues.followUp.messages };
  }

  /** Empties both queues and hands their messages back. */
  clearQueues(): { readonly steering: readonly AgentMessage[]; readonly followUp: readonly AgentMessage[] } {
    return { steering: this.#queues.steering.clear(), followUp: this.#queues.followUp.clear() };
  }

  get steeringMode(): QueueMode {
    return this.#queues.steering.mode;
  }

  set steeringMode(mode: QueueMode) {
    this.#queues.steering.mode = mode;
  }

  get followUpMode(): QueueMode {
    return this.#queues.followUp.mode;
  }

  set followUpMode(mode: QueueMode) {
    this.#queues.followUp.mode = mode;
  }

  /** Stops the run: the model call and the tools see the signal at once. What is queued stays queued. */
  abort(reason?: unknown): void {
    this.#active?.controller.abort(reason);
  }

  /** Resolves when no run is active. Waiting for it inside a listener of the run never ends. */
  async waitForIdle(): Promise<void> {
    while (this.#active !== undefined) await this.#active.over;
  }

  /** Forgets the transcript and the queues; throws `agent_busy` during a run. */
  reset(): void {
    this.#refuseWhileBusy("reset");
    this.state.messages = [];
    this.state.error = undefined;
    this.clearQueues();
  }

  /** Adds a listener that every event waits for; the returned function removes it. */
  subscribe(listener: AgentListener): () => void {
    return this.#listeners.add(listener);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #refuseWhileBusy(action: string): void {
    if (this.#active === undefined) return;
    throw new AgentError({ code: "agent_busy", message: `The agent is running; it cannot ${action} now.` });
  }

  #queuedCount(): number {
    return this.#queues.steering.size + this.#queues.followUp.size;
  }

  #start(prompts: readonly AgentMessage[]): Promise<void> {
    const controller = new AbortController();
    this.state.isStreaming = true;
    this.state.error = undefined;
    const run = this.#run(prompts, controller.signal, this.#settledMoment.enter());
    this.#active = { controller, over: run.catch(() => undefined) };
    return run;
  }

  async #run(
    prompts: readonly AgentMessage[],
    signal: AbortSignal,
    before: Promise<void> | undefined,
  ): Promise<void> {
    await before;
    const period: BusyPeriod = { signal, listenerErrors: [] };
    try {
      const start = await this.#beforeStart(prompts, signal);
      let outcome = await this.#loop(start, period);
      while (await this.#goesOn(outcome, signal)) {
        outcome = await this.#loop({ ...start, messages: [] }, period);
      }
      // A listener that hears of one may add the next.
      while (this.#queues.asides.size > 0) {
        for (const message of this.#queues.asides.clear()) await this.#record(message, period);
      }
    } finally {
      this.state.settle();
      this.#active = undefined;
      const event = { type: "agent_settled", aborted: signal.aborted } as const;
      await this.#settledMoment.tell(this.#listeners, this.#dispatch(event, period));
    }
    throwListenerError(period.listenerErrors);
  }

  async #beforeStart(messages: readonly AgentMessage[], signal: AbortSignal): Promise<BeforeAgentStart> {
    const draft = { messages, systemPrompt: this.state.systemPrompt };
    if (messages.length === 0) return draft;
    try {
      return await untilAborted(runHook(this.#options.hooks, "before_agent_start", draft, signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return draft;
    }
  }

  async #loop(start: BeforeAgentStart, period: BusyPeriod): Promise<RunOutcome> {
    const { systemPrompt, messages } = start;
    const { state } = this;
    const { signal } = period;
    const loop = runAgentLoop({ ...this.#options, ...this.#queues, state, signal, systemPrompt }, messages);
    while (true) {
      const next = await loop.next();
      if (next.done) return next.value;
      await this.#emit(next.value, period);
    }
  }

  /** A message queued while `agent_end` was told still gets its answer. */
  async #goesOn(outcome: RunOutcome, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const decision = await this.#options.onRunEnd?.(outcome, signal);
    if (signal.aborted) return false;
    return decision === "continue" || (outcome === "done" && this.#queuedCount() > 0);
  }

  async #record(message: AgentMessage, period: BusyPeriod): Promise<void> {
    await this.#emit({ type: "message_start", message }, period);
    this.state.append(message);
    await this.#emit({ type: "message_end", message }, period);
  }

  async #emit(event: AgentEvent, period: BusyPeriod): Promise<void> {
    this.state.apply(event);
    await this.#listeners.dispatch(this.#dispatch(event, period));
  }

  #dispatch(event: AgentEvent, { signal, listenerErrors }: BusyPeriod): Dispatch {
    const collect = (error: unknown) => listenerErrors.push(error);
    return { event, signal, onError: this.#options.onListenerError ?? collect };
  }
}

function throwListenerError([cause]: readonly unknown[]): void {
  if (cause === undefined) return;
  const message = `A listener failed: ${cause instanceof Error ? cause.message : String(cause)}`;
  throw new AgentError({ code: "listener_failed", message, cause });
}
