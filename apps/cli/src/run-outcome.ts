import { type AgentEvent, hasOnlyBrokenCalls } from "@coppice/agent";
import { type AssistantMessage, textOf } from "@coppice/ai";
import type { HarnessEvent } from "@coppice/coding-agent";
import { answerErrorRow } from "./answer-error.ts";
import { CliError } from "./cli-error.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { answerAdvice, type LoginNames } from "./render/answer-advice.ts";
import { type Failure, failureOf } from "./render/error-text.ts";

/** Watches a run for what its exit code depends on: the last answer. */
export class RunOutcome {
  readonly #logins: LoginNames;
  #last: AssistantMessage | undefined;
  /** Why an answer with an error of this code was not asked for again. */
  #reason: { readonly code: string; readonly message: string } | undefined;

  /** `logins`: the providers that people log in with, for what is advised. */
  constructor({ logins }: { readonly logins: LoginNames }) {
    this.#logins = logins;
  }

  observe(event: AgentEvent | HarnessEvent): void {
    if (event.type === "message_end" && event.message.role === "assistant") this.#last = event.message;
    if (event.type === "diagnostic" && event.code !== undefined)
      this.#reason = { code: event.code, message: event.message };
  }

  /** Whether the model was asked and answered, well or not. */
  get hasAnswer(): boolean {
    return this.#last !== undefined;
  }

  /** Why the run has no complete answer; undefined when it has one (faults B216, CL-04). */
  failure(): Failure | undefined {
    const last = this.#last;
    if (last === undefined) return failureOf(new CliError("no_answer", "The model was not asked"));
    const failure = answerFailure(last, this.#logins);
    const isReason = this.#reason !== undefined && this.#reason.code === last.error?.code;
    return failure !== undefined && isReason ? { ...failure, advice: this.#reason?.message } : failure;
  }
}

/** Why an answer is no complete one; undefined when it is. */
export function answerFailure(answer: AssistantMessage, logins: LoginNames): Failure | undefined {
  if (answer.stopReason === "error" || answer.stopReason === "aborted") {
    return failureOfMessage(answer, logins);
  }
  if (answer.stopReason === "length") {
    return failureOf(new CliError("truncated_answer", "The answer reached the model's output limit"));
  }
  if (hasOnlyBrokenCalls(answer)) {
    return failureOf(new CliError("no_answer", "The model's calls of tools could not be read"));
  }
  if (textOf(answer.content).trim() === "") {
    return failureOf(new CliError("no_answer", "The model ended without an answer"));
  }
  return undefined;
}

function failureOfMessage(message: AssistantMessage, logins: LoginNames): Failure {
  return {
    message: `${message.provider}/${message.model}: ${message.errorMessage ?? message.error?.message ?? "failed"}`,
    advice: answerAdvice(message, logins),
    exitCode: answerErrorRow(message.error?.code)?.exitCode ?? EXIT_CODES.failure.code,
    stack: undefined,
  };
}
