import type { Agent, BeforeRequest, RunEndDecision, RunOutcome } from "@coppice/agent";
import type { UserMessage } from "@coppice/ai";
import type { EntryDraft, Session, SessionContext } from "@coppice/session";
import type { ArrivingMessages } from "./arriving-messages.ts";
import type { AutoCompaction } from "./auto-compaction.ts";
import type { AutoRetry } from "./auto-retry.ts";
import type { ContextView } from "./context-view.ts";
import { hideAttempt, lastAnswer } from "./failed-attempt.ts";
import type { LearnedWindow } from "./learned-window.ts";
import type { ModelChoice } from "./model-choice.ts";
import { isContextOverflow } from "./overflow.ts";
import type { PendingWrites } from "./pending-writes.ts";
import type { PromptSource } from "./prompt-source.ts";
import { promptStateChange } from "./prompt-state.ts";
import { missingToolResults } from "./resume-repair.ts";
import type { ToolSet } from "./tool-set.ts";

export interface PromptRunOptions {
  readonly session: Session;
  readonly writes: PendingWrites;
  readonly view: ContextView;
  readonly prompt: PromptSource;
  readonly choice: ModelChoice;
  readonly toolSet: ToolSet;
  readonly compaction: AutoCompaction;
  readonly retry: AutoRetry;
  readonly windows: LearnedWindow;
  /** A run that ends well waits for them. */
  readonly arriving: ArrivingMessages;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * One prompt from the first write to the last retry.
 *
 * `run` drives the agent; `beforeRequest` and `onRunEnd` are what the agent asks on the way.
 */
export class PromptRun {
  readonly #options: PromptRunOptions;
  /** The system prompt that the agent was given; another one in a draft is a hook's. */
  #givenPrompt = "";
  #sentTokens = 0;

  constructor(options: PromptRunOptions) {
    this.#options = options;
  }

  /**
   * Sends a message, or what is queued; resolves when retries, compactions, tools and queue are over. False: it was stopped
   * before the message reached the agent.
   */
  async run(agent: Agent, message: UserMessage | undefined, signal: AbortSignal): Promise<boolean> {
    const { session, writes, compaction, view, prompt } = this.#options;
    compaction.promptStarts();
    const context = await session.buildContext();
    writes.add(...this.#repair(context), ...this.#changes(context));
    if (signal.aborted) return false;
    const stop = () => agent.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#givenPrompt = prompt.text();
      agent.state.systemPrompt = this.#givenPrompt;
      agent.state.messages = (await view.project()).messages;
      // Nothing runs yet that the signal could have stopped.
      if (signal.aborted) return false;
      if (message !== undefined) await agent.prompt(message);
      else if (await this.#isQueued(agent, signal)) await agent.continue();
      // What was queued in the last moment of a run that ended well does not wait for the next prompt.
      while (agent.state.error === undefined && (await this.#isQueued(agent, signal))) await agent.continue();
      return true;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Records what changed, compacts if needed, and makes the request out of the session. */
  readonly beforeRequest: BeforeRequest = async (draft, signal) => {
    const { session, prompt, choice, toolSet, compaction } = this.#options;
    await this.#recordChanges(await session.buildContext());
    const projection = await compaction.beforeRequest(signal);
    await this.#recordChanges(projection.context);
    this.#sentTokens = projection.size.tokens;
    const text = prompt.text();
    const isOurs = draft.systemPrompt === this.#givenPrompt;
    return {
      messages: projection.messages,
      model: choice.model,
      thinkingLevel: choice.thinkingLevel,
      tools: toolSet.active,
      ...(isOurs ? { systemPrompt: text } : {}),
    };
  };

  /** Decides whether a failed answer is tried again: after a compaction, after a wait, or not. */
  readonly onRunEnd = async (outcome: RunOutcome, signal: AbortSignal): Promise<RunEndDecision> => {
    const { session, writes, compaction, retry, choice } = this.#options;
    if (outcome === "aborted" || (await writes.flushPendingWrites()) !== undefined) return "settle";
    const answer = lastAnswer(await session.buildContext());
    if (answer === undefined) return "settle";
    const { contextWindow } = choice;
    if (isContextOverflow(answer.message, { contextWindow, sentTokens: this.#sentTokens })) {
      await this.#options.windows.learnFrom(answer.message);
      await hideAttempt(session, answer.entryId);
      return (await compaction.recoverFromOverflow(signal)) ? "continue" : "settle";
    }
    if (answer.message.stopReason !== "error") return "settle";
    if (!(await retry.next(answer.message, signal))) return "settle";
    await hideAttempt(session, answer.entryId);
    return "continue";
  };

  /** Also of what is on its way to the queue. */
  async #isQueued(agent: Agent, signal: AbortSignal): Promise<boolean> {
    await this.#options.arriving.settled(signal);
    return !signal.aborted && hasQueued(agent);
  }

  /** Writes what the session must be told. Change entries must not be written twice, and messages must be on disk first. */
  async #recordChanges(context: SessionContext): Promise<void> {
    const { writes } = this.#options;
    const changes = this.#changes(context);
    writes.add(...changes);
    if (changes.length > 0 || writes.flushesMessages) await writes.flushOrThrow();
  }

  /** Error results for calls of a run that was interrupted. */
  #repair(context: SessionContext): readonly EntryDraft[] {
    return missingToolResults(context.messages, this.#options.now()).map((message) => ({
      type: "message",
      message,
    }));
  }

  /** What the session must be told so that its state is ours: prompt sections and tools, model, thinking level. */
  #changes(context: SessionContext): readonly EntryDraft[] {
    const { prompt, choice, toolSet, now } = this.#options;
    const system = promptStateChange(context.systemMessage, prompt.state(), now());
    return [
      ...(system === undefined ? [] : [{ type: "message" as const, message: system }]),
      ...choice.changesFrom(context),
      ...toolSet.changesFrom(context.activeToolNames),
    ];
  }
}

/** True while messages wait in an agent's queues. */
export function hasQueued(agent: Agent): boolean {
  return agent.queued.steering.length + agent.queued.followUp.length > 0;
}
