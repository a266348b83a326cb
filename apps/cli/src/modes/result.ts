import type { AgentEvent } from "@coppice/agent";
import { type AssistantMessage, addUsage, modelName, textOf, type Usage, ZERO_USAGE } from "@coppice/ai";
import type { AgentHarness, HarnessEvent } from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { composeWithModels } from "../compose.ts";
import { exitCodeOfSignal } from "../exit-codes.ts";
import type { PromptInput } from "../prompt-input.ts";
import { failureOf, failureText } from "../render/error-text.ts";
import { jsonLine } from "../render/json-line.ts";
import { RunOutcome } from "../run-outcome.ts";
import { runPrompt } from "../run-prompt.ts";

/** What `-p --output-format json` prints: one object, also for a run that failed. */
export interface RunResult {
  readonly type: "result";
  /** Text of the last answer; empty when there is none. */
  readonly answer: string;
  /** The exit status of the process. */
  readonly exitCode: number;
  /** How the last answer ended, `stop` for a whole one; `not_asked` when the model was not reached. */
  readonly exitReason: AssistantMessage["stopReason"] | "not_asked";
  readonly error?: { readonly message: string; readonly advice?: string };
  /** `provider/model`. */
  readonly model?: string;
  readonly sessionId?: string;
  /** Absolute; absent with `--no-session`. */
  readonly sessionPath?: string;
  /** Calls of the model. */
  readonly turns: number;
  /** Of all of them. */
  readonly usage: Usage;
  /** USD. */
  readonly costUsd: number;
  readonly durationMs: number;
}

/** Answers one prompt with one JSON object on standard output; failures are told on standard error as well. */
export async function runResultMode(context: CliContext, prompt: PromptInput): Promise<number> {
  const startMs = performance.now();
  const answers: AssistantMessage[] = [];
  let agent: AgentHarness | undefined;
  let failure: ReturnType<typeof failureOf> | undefined;
  let code: number;
  try {
    const { known, ...composed } = await composeWithModels(context);
    agent = composed.agent;
    const outcome = new RunOutcome(known);
    const onEvent = async (event: AgentEvent | HarnessEvent) => {
      outcome.observe(event);
      if (event.type === "message_end" && event.message.role === "assistant") answers.push(event.message);
    };
    code = await runPrompt({ context, agent, known, prompt, onEvent });
    failure = outcome.failure();
  } catch (error) {
    failure = failureOf(error);
    code = failure.exitCode;
    await context.stderr.write(failureText(failure, { withStack: context.environment.isDebug }));
  }
  const reason = context.stop.reason();
  const exitCode = reason === undefined ? code : exitCodeOfSignal(reason);
  const durationMs = Math.round(performance.now() - startMs);
  await context.stdout.write(jsonLine(resultOf({ agent, answers, failure, exitCode, durationMs })));
  return code;
}

interface ResultParts {
  readonly agent: AgentHarness | undefined;
  readonly answers: readonly AssistantMessage[];
  readonly failure: ReturnType<typeof failureOf> | undefined;
  readonly exitCode: number;
  readonly durationMs: number;
}

function resultOf({ agent, answers, failure, exitCode, durationMs }: ResultParts): RunResult {
  const last = answers.at(-1);
  const usage = answers.reduce((sum, answer) => addUsage(sum, answer.usage), ZERO_USAGE);
  const advice = failure?.advice === undefined ? {} : { advice: failure.advice };
  return {
    type: "result",
    answer: last === undefined ? "" : textOf(last.content),
    exitCode,
    exitReason: last?.stopReason ?? "not_asked",
    ...(failure === undefined ? {} : { error: { message: failure.message, ...advice } }),
    ...(agent === undefined ? {} : { model: modelName(agent.model), sessionId: agent.session.id }),
    ...(agent?.session.path === undefined ? {} : { sessionPath: agent.session.path }),
    turns: answers.length,
    usage,
    costUsd: usage.cost.total,
    durationMs,
  };
}
