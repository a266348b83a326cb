import type { CliContext } from "../../cli-context.ts";
import { knownModelsOf } from "../../compose.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { App } from "./app.ts";
import { Layout } from "./layout.ts";
import { offerModel } from "./offer-model.ts";
import { type OpenedAgent, openAgent } from "./open-agent.ts";
import { startTerminalSession, type TerminalSession } from "./terminal-session.ts";
import { createPaint } from "./theme.ts";

/** Works with a person at a terminal until they leave; resolves with the exit code. */
export async function runInteractive(context: CliContext): Promise<number> {
  const known = await knownModelsOf(context);
  const paint = createPaint(context.environment.allowsColor);
  const terminal = startTerminalSession();
  try {
    const layout = new Layout(terminal.tui, paint);
    const opened = await openAgent({
      context,
      known,
      offerModel: () => offerModel(layout, known, paint),
    });
    if (opened === undefined) return EXIT_CODES.auth.code;
    const app = new App({
      ...{ context, known, paint, layout, agent: opened.agent, tui: terminal.tui },
      now: Date.now,
      suspend: terminal.suspend,
    });
    const goodbye = await runApp({ context, terminal, app, opened });
    await terminal.end();
    await context.stdout.write(goodbye);
    return EXIT_CODES.ok.code;
  } finally {
    await terminal.end();
  }
}

interface RunAppOptions {
  readonly context: CliContext;
  readonly terminal: TerminalSession;
  readonly app: App;
  readonly opened: OpenedAgent;
}

/** Runs until the person, a signal or the terminal ends it; the session is then flushed and released. */
async function runApp({ context, terminal, app, opened }: RunAppOptions): Promise<string> {
  const quit = () => app.quit();
  const { signal } = context.stop;
  signal.addEventListener("abort", quit, { once: true });
  terminal.onStray((text) => app.notice(text.trim(), "warning"));
  try {
    await app.open();
    if (signal.aborted) app.quit();
    app.notice("Coppice. /help shows commands and keys.");
    for (const notice of opened.notices) app.notice(notice, "warning");
    await Promise.race([app.finished, terminal.lost]);
  } finally {
    signal.removeEventListener("abort", quit);
    await app.agent.dispose();
  }
  const { session } = app.agent;
  if (session.path === undefined || session.getLeafId() === null) return "";
  return `Go on with: coppice --session ${session.id}\n`;
}
