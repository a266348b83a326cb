import type { AssistantMessage, ChatRequest, Model, StreamFunction } from "@coppice/ai";
import { modelName } from "@coppice/ai";
import { CompactionError, type SummaryCallOptions } from "@coppice/compaction";
import type { CompactionPlan } from "./compaction-plan.ts";
import { completeWithRetry } from "./complete-with-retry.ts";
import type { EventBus } from "./event-bus.ts";
import type { LearnedWindow } from "./learned-window.ts";
import type { ModelChoice } from "./model-choice.ts";
import { missingToolResults } from "./resume-repair.ts";
import type { RetrySettings } from "./retry-policy.ts";
import type { SessionRequest } from "./session-request.ts";
import type { Sleep } from "./sleep.ts";

/** The model that a setting such as `summaryModel` names (`provider/model`); undefined = there is none. */
export type ModelFor = (name: string) => Model | undefined | Promise<Model | undefined>;

export interface SummaryCallsOptions {
  readonly choice: ModelChoice;
  readonly events: EventBus;
  readonly streamFunction: StreamFunction;
  readonly sessionRequest: SessionRequest;
  readonly windows: LearnedWindow;
  readonly modelFor: ModelFor;
  readonly retry: RetrySettings;
  readonly sleep: Sleep;
}

/** Model calls that one compaction may make: a history in chunks, and a second form where the first is refused. */
const MOST_CALLS = 8;

/** Summaries that may fail during one prompt before the rest of it takes extracts. */
const MOST_FAILURES = 2;

/** How summaries are asked for, and when to stop asking: a prompt must end also where no summary can be had. */
export class SummaryCalls {
  readonly #options: SummaryCallsOptions;
  #failures = 0;

  constructor(options: SummaryCallsOptions) {
    this.#options = options;
  }

  /** Asking may help again. */
  reset(): void {
    this.#failures = 0;
  }

  /** Whether summaries by a model are still worth a call in this prompt. */
  get mayAsk(): boolean {
    return this.#failures < MOST_FAILURES;
  }

  /** A summary failed; one that the provider refused as too long will be refused again. */
  failed(error: CompactionError): void {
    this.#failures += error.code === "input_too_large" ? MOST_FAILURES : 1;
  }

  /** The call options for a plan: on the session's own prefix where the session's model writes the summary. */
  async for(
    plan: CompactionPlan,
    { instructions, signal }: { readonly instructions?: string | undefined; readonly signal: AbortSignal },
  ): Promise<SummaryCallOptions> {
    const { choice, sessionRequest } = this.#options;
    const model = await this.modelFor(plan);
    // After an overflow the prefix has just been refused; elsewhere it is the cheapest way to ask.
    const onPrefix = plan.reason !== "overflow" && modelName(model) === modelName(choice.model);
    return {
      complete: this.#complete(signal),
      model,
      thinkingLevel: choice.thinkingLevel,
      ...(onPrefix ? { sessionRequest: answered(await sessionRequest.of(plan.projection, signal)) } : {}),
      ...(instructions === undefined ? {} : { customInstructions: instructions }),
      signal,
    };
  }

  /** The model that writes the summary of a plan. */
  async modelFor(plan: CompactionPlan): Promise<Model> {
    const { choice, modelFor, events } = this.#options;
    const name = plan.input.settings.summaryModel;
    const own: Model = { ...choice.model, contextWindow: choice.contextWindow };
    if (name === undefined || name === modelName(own)) return own;
    const model = await modelFor(name);
    if (model !== undefined) return model;
    await events.report(`There is no model "${name}" to write summaries; ${modelName(own)} does it.`);
    return own;
  }

  #complete(signal: AbortSignal): (request: ChatRequest) => Promise<AssistantMessage> {
    const { streamFunction, retry: settings, sleep, windows } = this.#options;
    const complete = completeWithRetry({ streamFunction, settings, sleep, signal });
    let calls = 0;
    return async (request) => {
      if (++calls > MOST_CALLS) {
        throw new CompactionError({
          code: "summary_failed",
          message: `The history is too long for a summary in ${MOST_CALLS} calls.`,
        });
      }
      const answer = await complete(request);
      await windows.learnFrom(answer);
      return answer;
    };
  }
}

/** The instruction that is put behind the request must not stand between a call and its results (fault B120). */
function answered(request: ChatRequest): ChatRequest {
  const { messages } = request;
  const missing = missingToolResults(messages, messages.at(-1)?.timestamp ?? 0);
  return missing.length === 0 ? request : { ...request, messages: [...messages, ...missing] };
}
