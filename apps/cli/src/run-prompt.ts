import type { AgentEvent } from "@coppice/agent";
import type { AgentHarness, HarnessEvent } from "@coppice/coding-agent";
import type { CliContext } from "./cli-context.ts";
import { callExtensionCommand } from "./extension-command.ts";
import type { KnownModels } from "./known-models.ts";
import type { PromptInput } from "./prompt-input.ts";
import { failureText } from "./render/error-text.ts";
import { RunOutcome } from "./run-outcome.ts";
import { RunProgress } from "./run-progress.ts";

export interface RunPromptOptions {
  readonly context: CliContext;
  readonly agent: AgentHarness;
  readonly known: Pick<KnownModels, "logins">;
  readonly prompt: PromptInput;
  readonly onEvent: (event: AgentEvent | HarnessEvent) => Promise<void>;
}

/**
 * Runs one prompt to its end and gives the exit code; a failure is told on standard error.
 *
 * A stop request aborts the run. Whatever happens, the session is flushed and released before it resolves (fault B023).
 */
export async function runPrompt({
  context,
  agent,
  known,
  prompt,
  onEvent,
}: RunPromptOptions): Promise<number> {
  const outcome = new RunOutcome(known);
  const progress = new RunProgress({ context, agent });
  context.stop.onExit(() => progress.stop());
  // In order, also when the agent does not wait for its listeners; a slow reader slows the run, not the memory down.
  let told: Promise<void> = Promise.resolve();
  agent.subscribe((event) => {
    outcome.observe(event);
    told = told.then(() => {
      progress.observe(event);
      return onEvent(event);
    });
    return told;
  });
  const abort = () => void agent.abort();
  let said: string | undefined;
  context.stop.signal.addEventListener("abort", abort, { once: true });
  try {
    if (!context.stop.signal.aborted) said = await ask(agent, prompt);
    await told;
  } finally {
    progress.stop();
    context.stop.signal.removeEventListener("abort", abort);
    await agent.dispose();
    await tellStop(context, agent);
  }
  if (said !== undefined) await context.stdout.write(said === "" ? "" : `${said}\n`);
  // A command may do its work without the model; where it asked, the answer counts.
  if (said !== undefined && !outcome.hasAnswer) return 0;
  const failure = outcome.failure();
  if (failure === undefined) return 0;
  if (context.stop.reason() === undefined) {
    await context.stderr.write(failureText(failure, { withStack: context.environment.isDebug }));
  }
  return failure.exitCode;
}

/** Asks the model, or runs the extension's command that the prompt calls; gives what that one says. */
async function ask(agent: AgentHarness, { text, images }: PromptInput): Promise<string | undefined> {
  const said = await callExtensionCommand(agent, text);
  if (said === undefined) await agent.prompt(text, { images });
  return said;
}

/** A person who stopped a run learns how to go on with it; a reader that went away learns nothing. */
async function tellStop({ stop, stderr, cwd }: CliContext, { session }: AgentHarness): Promise<void> {
  const reason = stop.reason();
  if (reason === undefined || reason === "SIGPIPE") return;
  const isStored = session.path !== undefined && session.getLeafId() !== null;
  const how = session.cwd === cwd ? "-c" : `--session ${session.id}`;
  await stderr.write(isStored ? `coppice: stopped; go on with \`coppice ${how}\`\n` : "coppice: stopped\n");
}
