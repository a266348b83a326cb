import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
import { type PrintState, type PrintStep, printEvent, START } from "./print-event.ts";
import type { Style } from "./style.ts";

/** What printing whole answers remembers from one event to the next. */
export interface WholeState {
  readonly print: PrintState;
  /** Text of the message in progress, or of the latest one when it broke off. */
  readonly text: string;
  /** Whether any text was out before that message. */
  readonly hadText: boolean;
  readonly isBroken: boolean;
}

export const WHOLE_START: WholeState = { print: START, text: "", hadText: false, isBroken: false };

/**
 * Prints like `printEvent`, but an answer's text only once its message is complete.
 *
 * What reads a pipe cannot take text back: an attempt that breaks off and is repeated must not be in it twice. A broken
 * message that nothing follows comes out at the end of the run.
 */
export function printWhole(
  state: WholeState,
  event: AgentEvent | HarnessEvent,
  style: Style,
): Omit<PrintStep, "state"> & { readonly state: WholeState } {
  const isAnswer =
    "message" in event && typeof event.message === "object" && event.message.role === "assistant";
  const begun = event.type === "message_start" && isAnswer ? beginMessage(state) : state;
  const { state: print, answer, notice } = printEvent(begun.print, event, style);
  const next = { ...begun, print, text: begun.text + answer };
  if (event.type === "message_end" && isAnswer) {
    const { stopReason } = event.message;
    if (stopReason === "error" || stopReason === "aborted") {
      return { state: { ...next, isBroken: true }, answer: "", notice };
    }
    return { state: { ...next, text: "" }, answer: next.text, notice };
  }
  if (event.type !== "agent_settled") return { state: next, answer: "", notice };
  return { state: { ...next, text: "", isBroken: false }, answer: next.text, notice };
}

/** The attempt before, if it broke off, was never there. */
function beginMessage({ print, text, hadText, isBroken }: WholeState): WholeState {
  const hasText = isBroken ? hadText : print.hasText;
  return {
    print: { ...print, hasText },
    text: isBroken ? "" : text,
    hadText: hasText,
    isBroken: false,
  };
}
