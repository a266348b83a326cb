import type { AssistantMessage } from "@coppice/ai";
import { answerErrorRow } from "../answer-error.ts";
import { CUSTOM_KEY_VARIABLE, keyVariablesOf } from "../env.ts";
import { SERVER_PROVIDER } from "../server-model.ts";
import { durationText } from "./units.ts";

/**
 * What a person can do about a failed answer: what the failure itself says, else the advice of its code, made exact by what
 * the command line knows. `logins` are the providers that people log in with, `place` is where they read it.
 */
export function answerAdvice(
  message: AssistantMessage,
  logins: LoginNames,
  place: AdvicePlace = "shell",
): string | undefined {
  const { error, provider } = message;
  if (error?.advice !== undefined) return error.advice;
  const text = message.errorMessage ?? error?.message ?? "";
  if (error?.code === "auth") return keyAdvice(provider, logins, place);
  if (error?.retryAfterMs !== undefined && error.retryAfterMs > 0) {
    return `The server asks to wait ${durationText(error.retryAfterMs)}; try again then.`;
  }
  if (/\bbad port$/.test(text)) {
    return "Web clients refuse this port, because another protocol owns it: let the server listen on another one.";
  }
  if (/\b(ENOTFOUND|EAI_AGAIN)\b/.test(text)) {
    return `There is no such host: check ${addressOf(provider)}, and the network.`;
  }
  if (/\bECONNREFUSED\b/.test(text)) {
    return `Nothing listens there: start the server, or check ${addressOf(provider)}.`;
  }
  return answerErrorRow(error?.code)?.advice;
}

/** Names of the providers that people log in with. */
export type LoginNames = Pick<ReadonlySet<string>, "has">;

/** `conversation` = in interactive mode, which has commands of its own. */
export type AdvicePlace = "shell" | "conversation";

function keyAdvice(provider: string, logins: LoginNames, place: AdvicePlace): string {
  if (provider === SERVER_PROVIDER) return `Set ${CUSTOM_KEY_VARIABLE} to a key that this server accepts.`;
  const variables = keyVariablesOf(provider);
  if (logins.has(provider)) {
    const command = place === "shell" ? `\`coppice auth login ${provider}\`` : `/login ${provider}`;
    return `Log in again with ${command}, or check its \`apiKey\` in models.json where it names one.`;
  }
  const inFile = `\`apiKey\` of ${provider} in models.json`;
  if (variables.length === 0) return `Check ${inFile}.`;
  return `Check the key in ${variables.join(" or ")}, or ${inFile} where it names one.`;
}

function addressOf(provider: string): string {
  return provider === SERVER_PROVIDER ? "--base-url" : `\`baseUrl\` of ${provider} in models.json`;
}
