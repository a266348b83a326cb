import { readFile } from "node:fs/promises";
import { setImmediate as nextTick } from "node:timers/promises";
import type { CliContext } from "../../cli-context.ts";
import { FirstScreen } from "./first-screen.ts";
import { homeShortened } from "./home-shortened.ts";
import { type KeyFile, parseKeyFile } from "./key-file.ts";
import { useKeys } from "./keymap.ts";
import { Layout } from "./layout.ts";
import { startTerminalSession } from "./terminal-session.ts";
import { askTerminal } from "./theme/apply-theme.ts";
import { TERMINAL_THEME } from "./theme/themes.ts";
import { Palette } from "./theme.ts";

/**
 * Works with a person at a terminal until they leave; resolves with the exit code.
 *
 * The editor is on the screen before the agent is loaded: what this file imports is what the first frame waits for.
 */
export async function runInteractive(context: CliContext): Promise<number> {
  const keys = await readKeys(context.places.keybindingsFile);
  useKeys(keys.keys);
  const palette = new Palette(context.environment.allowsColor);
  const { paint } = palette;
  const terminal = startTerminalSession();
  const layout = new Layout(terminal.tui, paint);
  const first = new FirstScreen({
    ...{ tui: terminal.tui, layout, paint, now: Date.now, suspend: terminal.suspend },
    directory: homeShortened(context.cwd, context.environment.homeDirectory),
  });
  const ended = Promise.race([terminal.lost, stopped(context.stop.signal), first.left]);
  // Nobody may be waiting yet when it happens.
  ended.catch(() => {});
  try {
    terminal.tui.renderNow();
    const background = palette.hasColors ? askTerminal(terminal.tui) : undefined;
    await nextTick();
    const { work } = await import("./work.ts");
    const { exitCode, goodbye } = await work({
      ...{ context, terminal, layout, palette, first, ended, notices: keys.warnings },
      themeOfTerminal: () => background ?? Promise.resolve(TERMINAL_THEME),
    });
    await terminal.end();
    await context.stdout.write(goodbye);
    return exitCode;
  } catch (error) {
    // What went wrong is told below the conversation, not below an editor that nobody listens to.
    layout.leave();
    throw error;
  } finally {
    await terminal.end();
  }
}

async function readKeys(path: string): Promise<KeyFile> {
  return parseKeyFile(await readFile(path, "utf8").catch(() => undefined));
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
