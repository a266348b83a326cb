/** What a piece of the screen means; a theme says how that looks. */
export const TONES = [
  ...(["accent", "strong", "dim", "success", "warning", "error", "added", "removed", "user"] as const),
  ...(["code", "quote", "link", "italic", "strikethrough", "underline"] as const),
  ...(["meterPrompt", "meterFiles", "meterSummary", "meterMessages"] as const),
  ...(["keyword", "string", "comment", "number", "function", "type", "attribute", "meta"] as const),
] as const;

export type Tone = (typeof TONES)[number];

/** A style per tone, in the words of `parseStyle`. */
export type Theme = Readonly<Record<Tone, string>>;

const ATTRIBUTES_ONLY = {
  strong: "bold",
  dim: "dim",
  italic: "italic",
  strikethrough: "strikethrough",
  underline: "underline",
  quote: "italic dim",
} as const;

/** The terminal's own 16 colours, which fit its background whatever it is. */
const TERMINAL: Theme = {
  ...ATTRIBUTES_ONLY,
  accent: "cyan",
  success: "green",
  warning: "yellow",
  error: "red",
  added: "green",
  removed: "red",
  user: "bold cyan",
  code: "yellow",
  link: "underline blue",
  meterPrompt: "magenta",
  meterFiles: "blue",
  meterSummary: "yellow",
  meterMessages: "cyan",
  keyword: "magenta",
  string: "green",
  comment: "dim",
  number: "yellow",
  function: "blue",
  type: "cyan",
  attribute: "cyan",
  meta: "dim",
};

const DARK: Theme = {
  ...ATTRIBUTES_ONLY,
  dim: "#8a8f98",
  quote: "italic #8a8f98",
  accent: "#5fd7d7",
  success: "#87d787",
  warning: "#ffd75f",
  error: "#ff8787",
  added: "#87d787",
  removed: "#ff8787",
  user: "bold #5fd7d7",
  code: "#ffd787",
  link: "underline #87afff",
  meterPrompt: "#d787d7",
  meterFiles: "#87afff",
  meterSummary: "#ffd75f",
  meterMessages: "#5fd7d7",
  keyword: "#d787d7",
  string: "#afd787",
  comment: "italic #8a8f98",
  number: "#ffaf87",
  function: "#87afff",
  type: "#5fd7d7",
  attribute: "#87d7ff",
  meta: "#8a8f98",
};

const LIGHT: Theme = {
  ...ATTRIBUTES_ONLY,
  dim: "#62676f",
  quote: "italic #62676f",
  accent: "#005f87",
  success: "#00662b",
  warning: "#875f00",
  error: "#af0000",
  added: "#00662b",
  removed: "#af0000",
  user: "bold #005f87",
  code: "#87005f",
  link: "underline #0037af",
  meterPrompt: "#87005f",
  meterFiles: "#0037af",
  meterSummary: "#875f00",
  meterMessages: "#005f87",
  keyword: "#87005f",
  string: "#00662b",
  comment: "italic #62676f",
  number: "#875f00",
  function: "#0037af",
  type: "#005f5f",
  attribute: "#005f87",
  meta: "#62676f",
};

/** The themes that come with Coppice; `auto` chooses one of them. */
export const BUILTIN_THEMES: Readonly<Record<string, Theme>> = {
  dark: DARK,
  light: LIGHT,
  terminal: TERMINAL,
};

export const TERMINAL_THEME = TERMINAL;

/** What `auto` chooses: by the background where the terminal tells it, else the terminal's own colours. */
export function themeForBackground(
  background: { readonly r: number; readonly g: number; readonly b: number } | undefined,
): Theme {
  if (background === undefined) return TERMINAL;
  // Weights of Rec. ITU-R BT.601, as terminals are compared in the field.
  const luma = (0.299 * background.r + 0.587 * background.g + 0.114 * background.b) / 255;
  return luma < 0.5 ? DARK : LIGHT;
}
