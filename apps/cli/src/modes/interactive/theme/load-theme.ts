import { parseStyle } from "./style.ts";
import { BUILTIN_THEMES, type Theme, TONES, type Tone } from "./themes.ts";

/** The name that asks the terminal. */
export const AUTO_THEME = "auto";

export interface LoadThemeOptions {
  /** Of the settings; undefined = `auto`. */
  readonly name: string | undefined;
  /** The text of `<name>.json` among the user's themes; undefined where there is none. */
  readonly readFile: (name: string) => Promise<string | undefined>;
  /** The theme that fits the terminal's background. */
  readonly ask: () => Promise<Theme>;
}

export interface LoadedTheme {
  readonly theme: Theme;
  /** What could not be used; the rest counts (fault kind UI-23). */
  readonly warnings: readonly string[];
}

/** The theme of a name: a file of the user's goes over one that comes with Coppice. Never throws. */
export async function loadTheme({ name, readFile, ask }: LoadThemeOptions): Promise<LoadedTheme> {
  if (name === undefined || name === AUTO_THEME) return { theme: await ask(), warnings: [] };
  const text = /^[\w-]+$/.test(name) ? await readFile(name).catch(() => undefined) : undefined;
  if (text !== undefined) return parseTheme(text, name, ask);
  const builtin = Object.hasOwn(BUILTIN_THEMES, name) ? BUILTIN_THEMES[name] : undefined;
  if (builtin !== undefined) return { theme: builtin, warnings: [] };
  const known = [AUTO_THEME, ...Object.keys(BUILTIN_THEMES)].join(", ");
  return {
    theme: await ask(),
    warnings: [`There is no theme "${name}"; the terminal decides. Themes: ${known}, or a file in themes/.`],
  };
}

/** A theme file: `{"base": "dark", "styles": {"accent": "bold #ff8700"}}`; what it leaves out is as in its base. */
async function parseTheme(text: string, name: string, ask: () => Promise<Theme>): Promise<LoadedTheme> {
  const place = `themes/${name}.json`;
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { theme: await ask(), warnings: [`${place} is not JSON; the terminal decides the colours.`] };
  }
  const { base, styles } = fieldsOf(file);
  const baseName = typeof base === "string" ? base : AUTO_THEME;
  const builtin = Object.hasOwn(BUILTIN_THEMES, baseName) ? BUILTIN_THEMES[baseName] : undefined;
  const warnings: string[] = [];
  if (builtin === undefined && baseName !== AUTO_THEME)
    warnings.push(`${place}: there is no base "${baseName}".`);
  const theme: Record<Tone, string> = { ...(builtin ?? (await ask())) };
  for (const [tone, style] of Object.entries(fieldsOf(styles))) {
    const known = TONES.find((candidate) => candidate === tone);
    if (known === undefined) warnings.push(`${place}: "${tone}" is no part of a theme.`);
    else if (typeof style !== "string" || parseStyle(style, "truecolor") === undefined)
      warnings.push(`${place}: ${tone} is no style such as "bold cyan" or "#ff8700".`);
    else theme[known] = style;
  }
  return { theme, warnings };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
