import type { CliContext } from "../cli-context.ts";
import { composeWithModels } from "../compose.ts";
import type { PromptInput } from "../prompt-input.ts";
import { jsonEvent } from "../render/json-event.ts";
import { jsonLine } from "../render/json-line.ts";
import { runPrompt } from "../run-prompt.ts";

/** Answers one prompt for a program: the session's header, then every event, each as one line of JSON. */
export async function runJsonMode(context: CliContext, prompt: PromptInput): Promise<number> {
  const { agent, known, notices } = await composeWithModels(context);
  await context.stdout.write(jsonLine(agent.session.header));
  for (const message of notices)
    await context.stdout.write(jsonLine({ type: "diagnostic", level: "warning", message }));
  return runPrompt({
    context,
    agent,
    known,
    prompt,
    onEvent: (event) => context.stdout.write(jsonLine(jsonEvent(event))),
  });
}
