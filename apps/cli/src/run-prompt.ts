import type { AgentEvent } from "@coppice/agent";
import type { AgentHarness, HarnessEvent } from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import type { PromptInput } from "./prompt-input.ts";
import { failureText } from "./render/error-text.ts";
import { RunOutcome } from "./run-outcome.ts";

export interface RunPromptOptions {
  readonly context: CliContext;
  readonly agent: AgentHarness;
  readonly prompt: PromptInput;
  readonly onEvent: (event: AgentEvent | HarnessEvent) => Promise<void>;
}

/**
 * Runs one prompt to its end and gives the exit code; a failure is told on standard error.
 *
 * A stop request aborts the run. Whatever happens, the session is flushed and released before it resolves (fault B023).
 */
export async function runPrompt({ context, agent, prompt, onEvent }: RunPromptOptions): Promise<number> {
  const outcome = new RunOutcome();
  // In order, also when the agent does not wait for its listeners; a slow reader slows the run, not the memory down.
  let told: Promise<void> = Promise.resolve();
  agent.subscribe((event) => {
    outcome.observe(event);
    told = told.then(() => onEvent(event));
    return told;
  });
  const abort = () => void agent.abort();
  context.stop.signal.addEventListener("abort", abort, { once: true });
  try {
    if (!context.stop.signal.aborted) await agent.prompt(prompt.text, { images: prompt.images });
    await told;
  } finally {
    context.stop.signal.removeEventListener("abort", abort);
    await agent.dispose();
    await tellStop(context, agent);
  }
  const failure = outcome.failure();
  if (failure === undefined) return 0;
  if (context.stop.reason() === undefined) {
    await context.stderr.write(failureText(failure, { withStack: context.environment.isDebug }));
  }
  return failure.exitCode;
}

/** A person who stopped a run learns how to go on with it; a reader that went away learns nothing. */
async function tellStop({ stop, stderr, cwd }: CliContext, { session }: AgentHarness): Promise<void> {
  const reason = stop.reason();
  if (reason === undefined || reason === "SIGPIPE") return;
  const isStored = session.path !== undefined && session.getLeafId() !== null;
  const how = session.cwd === cwd ? "-c" : `--session ${session.id}`;
  await stderr.write(isStored ? `coppice: stopped; go on with \`coppice ${how}\`\n` : "coppice: stopped\n");
}
