import { join } from "node:path";
import type { CliContext } from "../../cli-context.ts";
import { knownModelsOf } from "../../compose.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { LongWait } from "../../long-wait.ts";
import { App } from "./app.ts";
import { clippedLineNotice } from "./clipped-line.ts";
import { personAtTerminal } from "./dialogs/person-at-terminal.ts";
import type { FirstScreen } from "./first-screen.ts";
import { keyText } from "./keymap.ts";
import type { Layout } from "./layout.ts";
import { offerDirectory } from "./offer-directory.ts";
import { offerModel } from "./offer-model.ts";
import { type OpenedAgent, openAgent } from "./open-agent.ts";
import { sessionChoices } from "./session-choices.ts";
import type { TerminalSession } from "./terminal-session.ts";
import { createThemeSwitch } from "./theme/apply-theme.ts";
import type { Theme } from "./theme/themes.ts";
import type { Palette } from "./theme.ts";

export interface WorkOptions {
  readonly context: CliContext;
  readonly terminal: TerminalSession;
  readonly layout: Layout;
  readonly palette: Palette;
  readonly first: FirstScreen;
  /** What a person should know by now. */
  readonly notices: readonly string[];
  /** The theme that fits the terminal. */
  readonly themeOfTerminal: () => Promise<Theme>;
  /** Settles when the person, a signal or the terminal ends the program; rejects with what nobody caught. */
  readonly ended: Promise<void>;
}

export interface WorkEnd {
  readonly exitCode: number;
  /** For the shell's screen, once the terminal is given back. */
  readonly goodbye: string;
}

/** Opens the agent and works with it until the person leaves. */
export async function work(options: WorkOptions): Promise<WorkEnd> {
  const { terminal, layout, palette, first, ended } = options;
  const { paint } = palette;
  let app: App | undefined;
  const wait = new LongWait((text) => (app === undefined ? first.showWaiting(text) : app.hint(text)));
  const person = personAtTerminal({
    ...{ layout, paint, ended },
    stopRun: () => app?.interrupt(),
    setWaiting: (toolCallId, isWaiting) => app?.setWaiting(toolCallId, isWaiting),
  });
  const context = { ...options.context, person: { ...person, waiting: (what: string) => wait.begin(what) } };
  const unlessEnded = <T>(asked: Promise<T>) => Promise.race([asked, ended.then(() => undefined)]);
  const opened = await openAgent({
    context,
    known: await knownModelsOf(context),
    offerModel: (known) => unlessEnded(offerModel({ layout, known, paint, context })),
    pickSession: () => unlessEnded(pickSession(context, layout)),
    offerDirectory: async (directory) => (await unlessEnded(offerDirectory(layout, directory))) ?? false,
  });
  if (opened === "left") return { exitCode: EXIT_CODES.ok.code, goodbye: "" };
  if (opened === "no_model") return { exitCode: EXIT_CODES.auth.code, goodbye: "" };
  const useTheme = createThemeSwitch({
    ...{ palette, tui: terminal.tui, ask: options.themeOfTerminal },
    directory: join(context.places.userDirectory, "themes"),
  });
  app = new App({
    ...{ context, palette, layout, first, useTheme, known: opened.known, built: opened, tui: terminal.tui },
    now: Date.now,
    suspend: terminal.suspend,
    lend: terminal.lend,
  });
  layout.onClipped((line) => app.notice(clippedLineNotice(line), "warning"));
  for (const notice of options.notices) app.notice(notice, "warning");
  void app.useTheme(opened.setup.settings.theme);
  terminal.onStray((text) => app.notice(text.trim(), "warning"));
  const prompts = [context.args.words.join(" "), ...first.takeLines()];
  return { exitCode: EXIT_CODES.ok.code, goodbye: await runApp({ app, opened, ended, prompts }) };
}

async function pickSession(context: CliContext, layout: Layout): Promise<string | undefined> {
  const choices = await sessionChoices(context, { cwd: context.cwd, nowMs: Date.now() });
  if (choices.length === 0) return undefined;
  return layout.pick({
    title: [`Go on with (${keyText("tui.select.cancel")} begins a new session)`],
    choices,
  });
}

interface RunAppOptions {
  readonly app: App;
  readonly opened: OpenedAgent;
  readonly ended: Promise<void>;
  /** What to begin with; empty ones wait for the person. */
  readonly prompts: readonly string[];
}

/** Runs until the person or something else ends it; the session is then flushed and released. Says how to go on. */
async function runApp({ app, opened, ended, prompts }: RunAppOptions): Promise<string> {
  try {
    await app.start();
    app.notice("Coppice. /help shows commands and keys.");
    for (const notice of opened.notices) app.notice(notice, "warning");
    for (const prompt of prompts) app.submit(prompt);
    await Promise.race([app.finished, ended]);
  } finally {
    app.quit();
    await app.agent.dispose();
  }
  const { session } = app.agent;
  if (session.path === undefined || session.getLeafId() === null) return "";
  return `Go on with: coppice --session ${session.id}\n`;
}
