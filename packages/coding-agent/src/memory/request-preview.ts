import type { HookRunner } from "@coppice/agent";
import type { ChatRequest, ImageContent } from "@coppice/ai";
import type { AutoCompaction } from "../auto-compaction.ts";
import type { ContextView } from "../context-view.ts";
import type { CodingAgentHooks } from "../hooks.ts";
import { inputMessage } from "../input-message.ts";
import { missingToolResults } from "../resume-repair.ts";
import type { SessionRequest } from "../session-request.ts";

/** What would be sent if this were said now. */
export interface RequestPreview {
  /** Without a signal. */
  readonly request: ChatRequest;
  /** True when the context would be made smaller before: then another request is sent. */
  readonly compactsFirst: boolean;
}

export interface PreviewedInput {
  /** What would be said; absent = what is there already. */
  readonly text?: string;
  readonly images?: readonly ImageContent[];
}

export interface RequestPreviewsOptions {
  readonly view: ContextView;
  readonly sessionRequest: SessionRequest;
  readonly autoCompaction: AutoCompaction;
  readonly hooks: HookRunner<CodingAgentHooks>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Shows the next request without sending it: the same projection, hooks and conversion, nothing written. */
export class RequestPreviews {
  readonly #options: RequestPreviewsOptions;

  constructor(options: RequestPreviewsOptions) {
    this.#options = options;
  }

  async preview({ text = "", images = [] }: PreviewedInput): Promise<RequestPreview> {
    const { view, sessionRequest, autoCompaction, hooks, now } = this.#options;
    const { signal } = new AbortController();
    const isSaid = text.trim() !== "" || images.length > 0;
    const input = isSaid ? await hooks.run("input", { text, images }, signal) : undefined;
    const { messages } = await view.project();
    const projection = await view.project([
      ...missingToolResults(messages, now()),
      ...(input === undefined ? [] : [inputMessage({ ...input, now: now() })]),
    ]);
    return {
      request: await sessionRequest.of(projection, signal),
      compactsFirst: autoCompaction.isDue(projection),
    };
  }
}
