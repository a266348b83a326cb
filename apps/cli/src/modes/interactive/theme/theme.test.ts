import { expect, test } from "vitest";
import { Palette } from "../theme.ts";
import { createThemeSwitch } from "./apply-theme.ts";
import { loadTheme } from "./load-theme.ts";
import { applyStyle, parseStyle } from "./style.ts";
import { BUILTIN_THEMES, TERMINAL_THEME, type Theme, TONES, themeForBackground } from "./themes.ts";

const { dark, light } = BUILTIN_THEMES as { readonly dark: Theme; readonly light: Theme };

const load = (name: string | undefined, files: Readonly<Record<string, string>> = {}) =>
  loadTheme({ name, readFile: async (file) => files[file], ask: async () => light });

test.each([
  ["bold cyan", "\u001b[1;36m", "\u001b[39;22m"],
  ["bright-red", "\u001b[91m", "\u001b[39m"],
  ["#ff8700", "\u001b[38;2;255;135;0m", "\u001b[39m"],
  ["", "", ""],
])("the style %j is what turns it on and off", (style, open, close) => {
  expect(parseStyle(style, "truecolor")).toEqual({ open, close });
});

test("a terminal with 256 colours gets the nearest one; a text that is no style is none", () => {
  expect(parseStyle("#ff8700", "256color")?.open).toBe("\u001b[38;5;208m");
  for (const text of ["blink", "#12", "rgb(1,2,3)", "constructor"])
    expect(parseStyle(text, "truecolor")).toBeUndefined();
});

test("UI-02: a text inside of another ends in the outer style again", () => {
  const [red, green] = ["red", "green"].map(
    (name) => parseStyle(name, "truecolor") ?? { open: "", close: "" },
  );
  const inner = applyStyle(green ?? { open: "", close: "" }, "b");
  expect(applyStyle(red ?? { open: "", close: "" }, `a${inner}c`)).toBe(
    "\u001b[31ma\u001b[32mb\u001b[39m\u001b[31mc\u001b[39m",
  );
});

test("every style of every theme that comes along can be used", () => {
  for (const theme of Object.values(BUILTIN_THEMES))
    for (const tone of TONES) expect([tone, parseStyle(theme[tone], "truecolor")]).not.toContain(undefined);
});

test("the background chooses between dark and light; a terminal that does not tell keeps its own colours", () => {
  expect(themeForBackground({ r: 20, g: 20, b: 30 })).toBe(dark);
  expect(themeForBackground({ r: 253, g: 246, b: 227 })).toBe(light);
  expect(themeForBackground(undefined)).toBe(TERMINAL_THEME);
});

test("a theme file changes its base, and goes over a theme of the same name", async () => {
  const files = { mine: '{"base":"dark","styles":{"accent":"bold #ff8700"}}', light: '{"base":"dark"}' };
  expect(await load("mine", files)).toEqual({ theme: { ...dark, accent: "bold #ff8700" }, warnings: [] });
  expect((await load("light", files)).theme).toEqual(dark);
  expect((await load(undefined)).theme).toBe(light);
  expect((await load("dark")).theme).toBe(dark);
});

test("UI-23: a theme that is gone, empty or wrong is a warning; every token has a colour", async () => {
  expect(await load("gone")).toEqual({
    theme: light,
    warnings: [
      'There is no theme "gone"; the terminal decides. Themes: auto, dark, light, terminal, or a file in themes/.',
    ],
  });
  expect(await load("../../etc/passwd", { "../../etc/passwd": "{}" })).toMatchObject({ theme: light });
  expect(await load("empty", { empty: "{}" })).toEqual({ theme: light, warnings: [] });
  expect(await load("broken", { broken: "{" })).toMatchObject({ theme: light });
  const odd = await load("odd", {
    odd: '{"base":"blue","styles":{"accent":7,"sky":"blue","dim":"blinking"}}',
  });
  expect(odd).toEqual({
    theme: light,
    warnings: [
      'themes/odd.json: there is no base "blue".',
      'themes/odd.json: accent is no style such as "bold cyan" or "#ff8700".',
      'themes/odd.json: "sky" is no part of a theme.',
      'themes/odd.json: dim is no style such as "bold cyan" or "#ff8700".',
    ],
  });
});

test("another theme counts from the next drawing; without colours nothing is coloured", () => {
  const palette = new Palette(true);
  expect(palette.paint("error", "x")).toBe("\u001b[31mx\u001b[39m");
  palette.use({ ...dark, error: "#010203" }, "truecolor");
  expect(palette.paint("error", "x")).toBe("\u001b[38;2;1;2;3mx\u001b[39m");
  expect(new Palette(false).paint("error", "x")).toBe("x");
});

test("UI-23: a theme that is ready after a later one was chosen is not shown", async () => {
  const palette = new Palette(true);
  const asked = Promise.withResolvers<Theme>();
  let drawn = 0;
  const tui = {
    invalidate: () => {},
    requestRender: () => {
      drawn++;
    },
  };
  const useTheme = createThemeSwitch({
    ...{ palette, tui, directory: "/nowhere" },
    ask: () => asked.promise,
  });
  const atFirst = useTheme("auto");
  await useTheme("light");
  const chosen = palette.paint("error", "x");
  asked.resolve(dark);
  await atFirst;
  expect(palette.paint("error", "x")).toBe(chosen);
  expect(drawn).toBe(1);
  await useTheme("auto");
  expect(palette.paint("error", "x")).not.toBe(chosen);
});
