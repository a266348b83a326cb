import {
  detectCapabilities,
  getCapabilities,
  getTerminalColorMode,
  resetCapabilitiesCache,
  setCapabilityOverrides,
} from "@earendil-works/pi-tui";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readEnvironment, withEscapeWait } from "../../env.ts";
import { OwnTerminal } from "./own-terminal.ts";
import { Palette } from "./theme.ts";

/** What a terminal may say of itself, and what a person may say of it; none of them is set unless a row says so. */
const VARIABLES = [
  ...["TERM", "COLORTERM", "NO_COLOR", "TERM_PROGRAM", "TERMINAL_EMULATOR", "TMUX", "KITTY_WINDOW_ID"],
  ...["GHOSTTY_RESOURCES_DIR", "WEZTERM_PANE", "WARP_SESSION_ID", "WARP_TERMINAL_SESSION_UUID"],
  ...["ITERM_SESSION_ID", "WT_SESSION", "ALACRITTY_WINDOW_ID", "ORCA_IMAGE_PROTOCOL"],
  ...[
    "PI_TRUE_COLOR",
    "PI_IMAGE_PROTOCOL",
    "PI_HYPERLINKS",
    "PI_TUI_ESC_TIMEOUT",
    "SSH_CONNECTION",
    "SSH_TTY",
  ],
];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
  // As the application does when it takes the terminal over.
  setCapabilityOverrides({ hyperlinks: false });
  resetCapabilitiesCache();
  return () => {
    vi.unstubAllEnvs();
    setCapabilityOverrides({});
    resetCapabilitiesCache();
  };
});

type Variables = Readonly<Record<string, string>>;
type Depth = "none" | "256color" | "truecolor";

/** What the application does in such an environment. */
function guess(variables: Variables): readonly [colors: Depth, images: string | null] {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { images, hyperlinks } = getCapabilities();
  expect(hyperlinks).toBe(false);
  const { hasColors } = new Palette(readEnvironment(variables).allowsColor);
  return [hasColors ? getTerminalColorMode() : "none", images];
}

const XTERM = { TERM: "xterm-256color" };
const KITTY = { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" };
const TMUX = { TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0" };

describe("UI-18: colours, images and links of a terminal", () => {
  test.each<[string, Variables, Depth, string | null]>([
    ["nothing is known", {}, "256color", null],
    ["an unknown one", { TERM: "homemade", TERM_PROGRAM: "homemade" }, "256color", null],
    ["one that can nothing", { TERM: "dumb", COLORTERM: "truecolor" }, "none", null],
    ["one of 256 colours", XTERM, "256color", null],
    ["one that says its colours", { ...XTERM, COLORTERM: "truecolor" }, "truecolor", null],
    ["one that says something else of them", { ...XTERM, COLORTERM: "yes" }, "256color", null],
    ["kitty", KITTY, "truecolor", "kitty"],
    ["ghostty", { TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "truecolor", "kitty"],
    ["WezTerm", { ...XTERM, TERM_PROGRAM: "WezTerm" }, "truecolor", "kitty"],
    ["iTerm", { ...XTERM, TERM_PROGRAM: "iTerm.app" }, "truecolor", "iterm2"],
    ["the terminal of macOS", { ...XTERM, TERM_PROGRAM: "Apple_Terminal" }, "256color", null],
    ["VS Code", { ...XTERM, TERM_PROGRAM: "vscode" }, "truecolor", null],
    ["Windows Terminal", { WT_SESSION: "1" }, "truecolor", null],
    ["tmux", TMUX, "256color", null],
    ["tmux in kitty, whose variables leak into it", { ...KITTY, ...TMUX }, "256color", null],
    ["tmux that says its colours", { ...TMUX, COLORTERM: "truecolor" }, "truecolor", null],
    ["screen in kitty", { ...KITTY, TERM: "screen-256color" }, "256color", null],
    ["no colours wanted", { ...KITTY, NO_COLOR: "1" }, "none", "kitty"],
    ["an empty NO_COLOR, which counts as unset", { ...XTERM, NO_COLOR: "" }, "256color", null],
  ])("%s", (_, variables, colors, images) => {
    expect(guess(variables)).toEqual([colors, images]);
  });

  test.each<[string, Variables, Depth, string | null]>([
    ["true colours after all", { ...TMUX, PI_TRUE_COLOR: "1" }, "truecolor", null],
    ["no true colours after all", { ...KITTY, PI_TRUE_COLOR: "0" }, "256color", "kitty"],
    ["images of kitty after all", { ...XTERM, PI_IMAGE_PROTOCOL: "kitty" }, "256color", "kitty"],
    ["images of iTerm after all", { ...TMUX, PI_IMAGE_PROTOCOL: "iterm2" }, "256color", "iterm2"],
    ["no images after all", { ...KITTY, PI_IMAGE_PROTOCOL: "none" }, "truecolor", null],
    [
      "a word that means nothing",
      { ...XTERM, PI_IMAGE_PROTOCOL: "all", PI_TRUE_COLOR: "2" },
      "256color",
      null,
    ],
  ])("a person goes over the guess: %s", (_, variables, colors, images) => {
    expect(guess(variables)).toEqual([colors, images]);
  });

  test("an address is printed whatever the terminal can do: no guess is made of links, and none is asked of tmux", () => {
    expect(guess({ ...KITTY, PI_HYPERLINKS: "1" })).toEqual(["truecolor", "kitty"]);
    // What the guess alone would say.
    expect(detectCapabilities().hyperlinks).toBe(true);
  });
});

describe("UI-18: the keyboard", () => {
  /** What the terminal is told when it is started and answers so. */
  function toldTo(...replies: readonly string[]): string {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const terminal = new OwnTerminal();
    onTestFinished(() => {
      terminal.stop();
      write.mockRestore();
    });
    terminal.start(
      () => {},
      () => {},
    );
    for (const reply of replies) process.stdin.emit("data", reply);
    return write.mock.calls.map(([data]) => String(data)).join("");
  }
  const KITTY_FLAGS = "\u001b[?7u";
  const ATTRIBUTES = "\u001b[?62;c";
  const OTHER_KEYS = "\u001b[>4;2m";

  test.each([
    ["one that says nothing is sent nothing more", [], false],
    ["one that knows kitty's protocol has that", [KITTY_FLAGS, ATTRIBUTES], false],
    ["one that does not is asked for the keys of xterm", [ATTRIBUTES], true],
  ])("%s, whatever the environment says", (_, replies, isFallback) => {
    for (const variables of [KITTY, TMUX, XTERM, { TERM: "dumb" }]) {
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      expect(toldTo(...replies).includes(OTHER_KEYS)).toBe(isFallback);
    }
  });

  test("the wait after Esc is the person's to set, over SSH too", () => {
    const waitIn = (variables: Record<string, string>) => {
      let wait: string | undefined;
      withEscapeWait(() => {
        wait = variables.PI_TUI_ESC_TIMEOUT;
      }, variables);
      return wait;
    };
    expect(waitIn({ ...KITTY })).toBe("50");
    expect(waitIn({ ...KITTY, SSH_TTY: "/dev/pts/1", PI_TUI_ESC_TIMEOUT: "300" })).toBe("300");
  });
});
