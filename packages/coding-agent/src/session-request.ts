import { convertToLlm, type HookRunner } from "@coppice/agent";
import type { ChatRequest, StreamFunction } from "@coppice/ai";
import type { Projection } from "./context-view.ts";
import type { CodingAgentHooks } from "./hooks.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { PromptSource } from "./prompt-source.ts";

export interface SessionRequestOptions {
  readonly sessionId: string;
  readonly streamFunction: StreamFunction;
  readonly hooks: HookRunner<CodingAgentHooks>;
  readonly prompt: PromptSource;
  readonly choice: ModelChoice;
}

/**
 * The request that the session would send now, so that a summary can be asked for on its cached prefix.
 *
 * It watches what is really sent: what hooks changed in the last request (system prompt, headers) belongs to the prefix.
 */
export class SessionRequest {
  readonly #options: SessionRequestOptions;
  #last: { readonly request: ChatRequest; readonly ownPrompt: string } | undefined;

  constructor(options: SessionRequestOptions) {
    this.#options = options;
  }

  /** Sends a request of the session and remembers it. */
  readonly stream: StreamFunction = (request) => {
    this.#last = { request, ownPrompt: this.#options.prompt.text() };
    return this.#options.streamFunction(request);
  };

  /** The request for a projection, without a signal. */
  async of(projection: Projection, signal: AbortSignal): Promise<ChatRequest> {
    const { hooks, choice, sessionId } = this.#options;
    const { messages } = await hooks.run("context", { messages: projection.messages }, signal);
    const { tools } = projection;
    const last = this.#last;
    const systemPrompt =
      last?.ownPrompt === projection.systemPrompt ? last.request.systemPrompt : projection.systemPrompt;
    const { headers, cacheRetention } = last?.request ?? {};
    return {
      model: choice.model,
      messages: convertToLlm(messages),
      thinkingLevel: choice.thinkingLevel,
      sessionId,
      ...(systemPrompt === undefined || systemPrompt === "" ? {} : { systemPrompt }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(headers === undefined ? {} : { headers }),
      ...(cacheRetention === undefined ? {} : { cacheRetention }),
    };
  }
}
