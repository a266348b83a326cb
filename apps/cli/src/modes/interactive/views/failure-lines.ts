import type { AssistantMessage } from "@coppice/ai";
import { answerAdvice, type LoginNames } from "../../../render/answer-advice.ts";

/** Why an answer is not whole, with what to do; undefined for whole answers and for those that a person stopped. */
export function failureLines(message: AssistantMessage, logins: LoginNames): string | undefined {
  if (message.stopReason === "length") {
    return "The answer reached the model's output limit.\nAsk it to go on, or for less at once.";
  }
  if (message.stopReason !== "error") return undefined;
  const what = message.errorMessage ?? message.error?.message ?? "The model failed.";
  const advice = answerAdvice(message, logins, "conversation");
  return [`${message.provider}/${message.model}: ${what}`, ...(advice === undefined ? [] : [advice])].join(
    "\n",
  );
}
