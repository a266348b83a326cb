import type { AgentEvent } from "@coppice/agent";
import type { HarnessEvent } from "@coppice/coding-agent";
import type { CliContext } from "../cli-context.ts";
import { composeAgent } from "../compose.ts";
import type { PromptInput } from "../prompt-input.ts";
import { type PrintState, printEvent, START } from "../render/print-event.ts";
import { runPrompt } from "../run-prompt.ts";

/** Answers one prompt: its text to standard output as it comes, tool calls and notices to standard error. */
export async function runPrintMode(context: CliContext, prompt: PromptInput): Promise<number> {
  const { stdout, stderr, style } = context;
  const agent = await composeAgent(context);
  let state: PrintState = START;
  const print = async (event: AgentEvent | HarnessEvent) => {
    const step = printEvent(state, event, style);
    state = step.state;
    if (step.answer !== "") await stdout.write(step.answer);
    if (step.notice !== "") await stderr.write(step.notice);
  };
  return runPrompt({ context, agent, prompt, onEvent: print });
}
