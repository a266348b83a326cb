import { type AssistantMessage, PROVIDER_ERRORS, type ProviderErrorCode } from "@coppice/ai";

/** Why an answer is not whole, with what to do; undefined for whole answers and for those that a person stopped. */
export function failureLines(message: AssistantMessage): string | undefined {
  if (message.stopReason === "length") {
    return "The answer reached the model's output limit.\nAsk it to go on, or for less at once.";
  }
  if (message.stopReason !== "error") return undefined;
  const what = message.errorMessage ?? message.error?.message ?? "The model failed.";
  const advice = message.error?.advice ?? adviceFor(message.error?.code);
  return [`${message.provider}/${message.model}: ${what}`, ...(advice === undefined ? [] : [advice])].join(
    "\n",
  );
}

function adviceFor(code: string | undefined): string | undefined {
  if (code === undefined || !Object.hasOwn(PROVIDER_ERRORS, code)) return undefined;
  return PROVIDER_ERRORS[code as ProviderErrorCode].advice;
}
