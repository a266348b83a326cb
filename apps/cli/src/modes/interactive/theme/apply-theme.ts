import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getTerminalColorMode, type TUI } from "@earendil-works/pi-tui";
import type { Palette } from "../theme.ts";
import { loadTheme } from "./load-theme.ts";
import { type Theme, themeForBackground } from "./themes.ts";

/** A terminal that has not answered by then is taken for one that does not. */
const ANSWER_MS = 500;

/** Asks the terminal for its background (OSC 11); the theme that fits it. Keys go on working meanwhile (fault B204). */
export async function askTerminal(tui: Pick<TUI, "queryTerminalColors">): Promise<Theme> {
  const { background } = await tui.queryTerminalColors({ timeoutMs: ANSWER_MS });
  return themeForBackground(background);
}

export interface ThemeSwitchOptions {
  readonly palette: Palette;
  readonly tui: Pick<TUI, "invalidate" | "requestRender">;
  /** With theme files. */
  readonly directory: string;
  readonly ask: () => Promise<Theme>;
}

/**
 * Shows the screen in the theme of that name, undefined = what the terminal wants; resolves with what could not be used
 * of it. A theme that is ready after a later one was asked for is not shown (fault kind UI-23).
 */
export type ThemeSwitch = (name: string | undefined) => Promise<readonly string[]>;

export function createThemeSwitch({ palette, tui, directory, ask }: ThemeSwitchOptions): ThemeSwitch {
  const readTheme = (theme: string) => readFile(join(directory, `${theme}.json`), "utf8");
  let latest = 0;
  return async (name) => {
    const own = ++latest;
    const { theme, warnings } = await loadTheme({ name, readFile: readTheme, ask });
    if (own !== latest || !palette.hasColors) return warnings;
    palette.use(theme, getTerminalColorMode());
    tui.invalidate();
    tui.requestRender();
    return warnings;
  };
}
