import { failureOf } from "../../render/error-text.ts";
import { keyText } from "./keymap.ts";

/** What a person can do at the keyboard about refusals that the packages word for programs. */
const FOR_PEOPLE: Readonly<Record<string, () => string>> = {
  agent_busy: () => `Busy. Press ${keyText("app.interrupt")} to stop, or wait.`,
  agent_disposed: () => "This session is closed. /new begins another one.",
  agent_replaced: () => "The agent has gone on to another session meanwhile. Try again there.",
};

/** What a failure says in the conversation: what happened, and what to do. */
export function failureNotice(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (typeof code === "string" && Object.hasOwn(FOR_PEOPLE, code)) return FOR_PEOPLE[code]?.() ?? "";
  const { message, advice } = failureOf(error);
  return [message, ...(advice === undefined ? [] : [advice])].join("\n");
}
