import { type ChatRequest, textOf } from "@coppice/ai";
import { acceptedSummary } from "./acceptance.ts";
import { headOf } from "./clip-text.ts";
import type { CompactionPreparation } from "./prepare-compaction.ts";
import { DEFAULT_SUMMARY_PROMPTS } from "./prompts.ts";
import { serializeConversation } from "./serialize-conversation.ts";
import { usableWindow } from "./settings.ts";
import { type GeneratedSummary, lengthWish, userTextOf } from "./summarise.ts";
import type { SummaryCallOptions } from "./summary-call.ts";

/** Room for the instruction and the answer: without it the request would overflow. */
const LEAST_ANSWER_TOKENS = 2048;
const QUOTE_CHARS = 80;

/** Whether the session's own request with an instruction appended would fit the model that writes the summary. */
export function fitsOnPrefix(
  preparation: CompactionPreparation,
  options: Pick<SummaryCallOptions, "sessionRequest" | "model">,
): boolean {
  const { sessionRequest, model } = options;
  if (sessionRequest === undefined) return false;
  const isSameModel =
    sessionRequest.model.id === model.id && sessionRequest.model.provider === model.provider;
  const window = usableWindow(model.contextWindow);
  const answer = Math.min(LEAST_ANSWER_TOKENS, Math.floor(window / 8));
  return isSameModel && preparation.tokensBefore + answer <= window;
}

/**
 * Summary on the session's own prefix: its very request with one instruction appended, so that the cached prompt pays.
 *
 * Nothing else of the request changes, tools and thinking level included, since that could drop the cache. Throws
 * `CompactionError`; an answer with a tool call is `summary_rejected`.
 */
export async function summariseOnPrefix(
  preparation: CompactionPreparation,
  options: SummaryCallOptions & { readonly sessionRequest: ChatRequest },
): Promise<GeneratedSummary> {
  const { sessionRequest, signal } = options;
  const instruction = { role: "user" as const, content: instructionFor(preparation, options), timestamp: 0 };
  const answer = await options.complete({
    ...sessionRequest,
    messages: [...sessionRequest.messages, instruction],
    ...(signal === undefined ? {} : { signal }),
  });
  const messages = [
    ...preparation.messagesToSummarize,
    ...preparation.turnPrefixMessages,
    ...preparation.retainedTail,
  ];
  const text = acceptedSummary(answer, {
    kind: "history",
    previous: preparation.previousSummary,
    source: { conversation: serializeConversation(messages), userText: userTextOf(messages) },
  });
  return { text, usage: answer.usage };
}

function instructionFor(preparation: CompactionPreparation, options: SummaryCallOptions): string {
  const { customInstructions, prompts } = options;
  const quote = firstWords(preparation);
  return [
    prompts?.onPrefix ?? DEFAULT_SUMMARY_PROMPTS.onPrefix,
    quote === ""
      ? ""
      : `What begins with "${quote}" and everything after it stays verbatim behind your summary: do not repeat it.`,
    lengthWish(options.targetTokens),
    customInstructions?.trim()
      ? `The user asks the summary to look at this above all: ${customInstructions.trim()}`
      : "",
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The beginning of what stays, as a landmark on one line. */
function firstWords({ retainedTail }: CompactionPreparation): string {
  for (const message of retainedTail) {
    const text = "content" in message ? textOf(message.content).trim() : "";
    if (text !== "") return headOf(text.replace(/\s+/g, " "), QUOTE_CHARS);
  }
  return "";
}
