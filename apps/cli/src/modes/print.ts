import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { composeWithModels } from "../compose.ts";
import type { PromptInput } from "../prompt-input.ts";
import { type PrintState, printEvent, START } from "../render/print-event.ts";
import { printWhole, WHOLE_START, type WholeState } from "../render/whole-answer.ts";
import { runPrompt } from "../run-prompt.ts";

/**
 * Answers one prompt: its text to standard output, tool calls and notices to standard error.
 *
 * Text comes as it streams on a terminal, and message by message where a program reads it.
 */
export async function runPrintMode(context: CliContext, prompt: PromptInput): Promise<number> {
  const { stdout, stderr, style } = context;
  const { agent, known } = await composeWithModels(context);
  let streamed: PrintState = START;
  let whole: WholeState = WHOLE_START;
  const next = (event: AgentEvent | HarnessEvent) => {
    if (stdout.isTerminal) {
      const step = printEvent(streamed, event, style);
      streamed = step.state;
      return step;
    }
    const step = printWhole(whole, event, style);
    whole = step.state;
    return step;
  };
  const print = async (event: AgentEvent | HarnessEvent) => {
    const step = next(event);
    if (step.answer !== "") await stdout.write(step.answer);
    if (step.notice !== "") await stderr.write(step.notice);
  };
  return runPrompt({ context, agent, known, prompt, onEvent: print });
}
