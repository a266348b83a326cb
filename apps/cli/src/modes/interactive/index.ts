import type { CliContext } from "../../cli-context.ts";
import { knownModelsOf } from "../../compose.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { App } from "./app.ts";
import { Layout } from "./layout.ts";
import { offerModel } from "./offer-model.ts";
import { type OpenedAgent, openAgent } from "./open-agent.ts";
import { startTerminalSession } from "./terminal-session.ts";
import { createPaint } from "./theme.ts";

/** Works with a person at a terminal until they leave; resolves with the exit code. */
export async function runInteractive(context: CliContext): Promise<number> {
  const known = await knownModelsOf(context);
  const paint = createPaint(context.environment.allowsColor);
  const terminal = startTerminalSession();
  const ended = Promise.race([terminal.lost, stopped(context.stop.signal)]);
  // Nobody may be waiting yet when it happens.
  ended.catch(() => {});
  try {
    const layout = new Layout(terminal.tui, paint);
    const offer = () => Promise.race([offerModel(layout, known, paint), ended.then(() => undefined)]);
    const opened = await openAgent({ context, known, offerModel: offer });
    if (opened === undefined) return EXIT_CODES.auth.code;
    const app = new App({
      ...{ context, known, paint, layout, agent: opened.agent, tui: terminal.tui },
      now: Date.now,
      suspend: terminal.suspend,
    });
    terminal.onStray((text) => app.notice(text.trim(), "warning"));
    const goodbye = await runApp({ app, opened, ended, prompt: context.args.words.join(" ") });
    await terminal.end();
    await context.stdout.write(goodbye);
    return EXIT_CODES.ok.code;
  } finally {
    await terminal.end();
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

interface RunAppOptions {
  readonly app: App;
  readonly opened: OpenedAgent;
  /** Settles when a signal or the terminal ends the program; rejects with what nobody caught. */
  readonly ended: Promise<void>;
  /** What to begin with; empty = wait for the person. */
  readonly prompt: string;
}

/** Runs until the person or something else ends it; the session is then flushed and released. Says how to go on. */
async function runApp({ app, opened, ended, prompt }: RunAppOptions): Promise<string> {
  try {
    await app.open();
    app.notice("Coppice. /help shows commands and keys.");
    for (const notice of opened.notices) app.notice(notice, "warning");
    app.submit(prompt);
    await Promise.race([app.finished, ended]);
  } finally {
    app.quit();
    await app.agent.dispose();
  }
  const { session } = app.agent;
  if (session.path === undefined || session.getLeafId() === null) return "";
  return `Go on with: coppice --session ${session.id}\n`;
}
