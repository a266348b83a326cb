import { CoppiceError, type CoppiceErrorOptions, type ErrorTable } from "@coppice/ai";

export type AgentErrorCode = "agent_busy" | "nothing_to_send" | "nothing_to_continue" | "listener_failed";

/** Every way the agent refuses its caller. What goes wrong inside a run ends in the transcript instead. */
export const AGENT_ERRORS: ErrorTable<AgentErrorCode> = {
  agent_busy: {
    advice: "Wait with `waitForIdle()`, or queue the message with `steer()` or `followUp()`.",
    retryable: true,
    exitCode: 1,
  },
  nothing_to_send: { advice: "Give at least one message.", retryable: false, exitCode: 2 },
  nothing_to_continue: {
    advice: "Send a prompt, or queue a message first.",
    retryable: false,
    exitCode: 2,
  },
  listener_failed: {
    advice: "Correct the listener, or give `onListenerError` to handle its errors.",
    retryable: false,
    exitCode: 1,
  },
};

/** A refused call of the agent's own API. */
export class AgentError extends CoppiceError<AgentErrorCode> {
  override readonly name = "AgentError";

  constructor(options: CoppiceErrorOptions<AgentErrorCode>) {
    super(AGENT_ERRORS, options);
  }
}
