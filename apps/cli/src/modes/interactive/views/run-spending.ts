import type { AgentEvent } from "@coppice/agent";
import type { AssistantMessage, ToolCall, Usage } from "@coppice/ai";
import { estimateTextTokens } from "@coppice/compaction";

/** What the answers of a run have come to so far. */
export interface Spending {
  /** What the model wrote, thinking and arguments of calls included. */
  readonly outputTokens: number;
  /** Whether a part of them is estimated, because the provider tells the number at the end. */
  readonly isEstimate: boolean;
  /** As far as the provider has told; undefined while it has told nothing. */
  readonly costUsd: number | undefined;
}

/** Counts what a run spends while it works. */
export class RunSpending {
  #outputTokens = 0;
  #costUsd: number | undefined;
  #answer: AssistantMessage | undefined;

  /** A run begins. */
  clear(): void {
    this.#outputTokens = 0;
    this.#costUsd = undefined;
    this.#answer = undefined;
  }

  hear(event: AgentEvent): void {
    if (event.type === "message_update") this.#answer = event.message;
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    this.#answer = undefined;
    const usage = reported(event.message);
    if (usage === undefined) return;
    this.#outputTokens += usage.output;
    this.#costUsd = (this.#costUsd ?? 0) + usage.cost.total;
  }

  /** Undefined before the first token. */
  now(): Spending | undefined {
    const answer = this.#answer;
    const usage = answer === undefined ? undefined : reported(answer);
    const told = usage?.output ?? 0;
    // What a provider tells at the beginning of an answer is what it had by then.
    const written = answer === undefined ? 0 : Math.max(told, writtenTokens(answer));
    const outputTokens = this.#outputTokens + written;
    if (outputTokens === 0) return undefined;
    const isKnown = this.#costUsd !== undefined || usage !== undefined;
    return {
      ...{ outputTokens, isEstimate: written > told },
      costUsd: isKnown ? (this.#costUsd ?? 0) + (usage?.cost.total ?? 0) : undefined,
    };
  }
}

function reported({ usage }: AssistantMessage): Usage | undefined {
  return usage.totalTokens > 0 ? usage : undefined;
}

/** Estimated; a message in progress may have holes where blocks have not begun. */
function writtenTokens({ content }: AssistantMessage): number {
  let tokens = 0;
  for (const block of content) {
    if (block?.type === "text") tokens += estimateTextTokens(block.text);
    else if (block?.type === "thinking") tokens += estimateTextTokens(block.thinking);
    else if (block?.type === "toolCall") tokens += argumentTokens(block);
  }
  return tokens;
}

/** Long arguments are texts, which the estimator samples; making their JSON would read them whole. */
function argumentTokens({ arguments: values }: ToolCall): number {
  const texts = Object.values(values).map((value) =>
    typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
  );
  return texts.reduce((tokens, text) => tokens + estimateTextTokens(text), 0);
}
