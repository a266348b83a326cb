import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { ROOT } from "./checkout-copy.ts";
import type { Playground } from "./spawn-coppice.ts";

export interface TerminalOptions {
  readonly playground: Pick<Playground, "home" | "project">;
  readonly args: readonly string[];
  /** Default: the launcher. */
  readonly command?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Modes of the terminal that a program may leave changed. */
interface TerminalModes {
  readonly isAlternateScreen: boolean;
  readonly isCursorHidden: boolean;
  readonly isBracketedPaste: boolean;
  /** Keys in the long form, as kitty's protocol has it. */
  readonly isKittyKeyboard: boolean;
  /** Keys with modifiers in the long form, as xterm has it. */
  readonly isModifyOtherKeys: boolean;
  /** Lines do not break at the last column. */
  readonly isWrapOff: boolean;
}

/** What turns a mode on and off; of both, the latest counts. */
const SWITCHES = {
  isCursorHidden: ["\u001b[?25l", "\u001b[?25h"],
  isKittyKeyboard: ["\u001b[>7u", "\u001b[<u"],
  isModifyOtherKeys: ["\u001b[>4;2m", "\u001b[>4;0m"],
  isWrapOff: ["\u001b[?7l", "\u001b[?7h"],
} as const satisfies Partial<Readonly<Record<keyof TerminalModes, readonly [on: string, off: string]>>>;

/** A real program in a real pseudo-terminal, with a terminal emulator as the eye on the screen. */
export interface Terminal extends AsyncDisposable {
  /** The lines in sight, without trailing blanks. */
  screen(): string;
  /** Those in sight and those that scrolled away. */
  everything(): string;
  /** Where the terminal's own cursor is, from 0 at the upper left of what is in sight. */
  cursor(): { readonly row: number; readonly column: number };
  modes(): TerminalModes;
  /** Every byte that the program wrote. */
  raw(): string;
  /** Hears every piece as it comes, before the emulator; returns what unsubscribes. */
  onOutput(listener: (data: string) => void): () => void;
  /** Of the program itself where it was started without the launcher. */
  readonly pid: number;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves once the screen satisfies `check`; rejects with the screen after the bound. */
  until(what: string, check: (screen: string) => boolean): Promise<void>;
  signal(name: NodeJS.Signals): void;
  readonly exited: Promise<number>;
}

/** Longer than anything here takes on a machine that does much else; only a failure waits so long. */
const BOUND_MS = 60_000;

/** The program as people start it. */
export const LAUNCHER = join(ROOT, "coppice");

export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  altEnter: "\u001b\r",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  backspace: "\u007f",
  ctrlZ: "\u001a",
  ctrlO: "\u000f",
  down: "\u001b[B",
  up: "\u001b[A",
} as const;

/** Starts `coppice` from its source in a terminal of the given size. */
export function openTerminal(options: TerminalOptions): Terminal {
  const { playground, args, command = LAUNCHER, columns = 100, rows = 30, env = {} } = options;
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
  const child = spawn(command, [...args], {
    cols: columns,
    rows,
    cwd: playground.project,
    env: { PATH: process.env.PATH ?? "", HOME: playground.home, TERM: "xterm-256color", ...env },
  });
  const exit = Promise.withResolvers<number>();
  const lookers = new Set<() => void>();
  let raw = "";
  const look = () => {
    for (const looker of lookers) looker();
  };
  child.onData((data) => {
    raw += data;
    emulator.write(data, look);
  });
  emulator.onData((reply) => child.write(reply));
  // The emulator works behind: what it was given is on its screen once this write is done.
  child.onExit(({ exitCode }) => emulator.write("", () => exit.resolve(exitCode)));
  let isOver = false;
  void exit.promise.then(() => {
    isOver = true;
    look();
  });
  const linesFrom = (first: number) => {
    const buffer = emulator.buffer.active;
    const lines = [];
    for (let row = first; row < buffer.length; row++) {
      lines.push(buffer.getLine(row)?.translateToString(true) ?? "");
    }
    return lines.join("\n").trimEnd();
  };
  const screen = () => linesFrom(emulator.buffer.active.baseY);
  const isOn = (mode: keyof typeof SWITCHES) => {
    const [on, off] = SWITCHES[mode];
    return raw.lastIndexOf(on) > raw.lastIndexOf(off);
  };
  return {
    screen,
    everything: () => linesFrom(0),
    cursor: () => ({ row: emulator.buffer.active.cursorY, column: emulator.buffer.active.cursorX }),
    modes: () => ({
      isAlternateScreen: emulator.buffer.active.type === "alternate",
      isCursorHidden: isOn("isCursorHidden"),
      isKittyKeyboard: isOn("isKittyKeyboard"),
      isModifyOtherKeys: isOn("isModifyOtherKeys"),
      isWrapOff: isOn("isWrapOff"),
      isBracketedPaste: emulator.modes.bracketedPasteMode,
    }),
    raw: () => raw,
    onOutput(listener) {
      const subscription = child.onData(listener);
      return () => subscription.dispose();
    },
    pid: child.pid,
    type: (text) => child.write(text),
    resize(newColumns, newRows) {
      emulator.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    until(what, check) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const fail = (why: string) => reject(new Error(`${why}: ${what}\n${screen()}`));
      const timer = setTimeout(() => fail(`Not seen within ${BOUND_MS} ms`), BOUND_MS);
      const looker = () => {
        // Half a frame is on no real screen.
        if (emulator.modes.synchronizedOutputMode && !isOver) return;
        if (check(screen())) resolve();
        else if (isOver) fail("The program ended before it was seen");
      };
      lookers.add(looker);
      looker();
      return promise.finally(() => {
        clearTimeout(timer);
        lookers.delete(looker);
      });
    },
    signal: (name) => child.kill(name),
    exited: exit.promise,
    async [Symbol.asyncDispose]() {
      if (!isOver) child.kill("SIGKILL");
      await exit.promise;
      emulator.dispose();
    },
  };
}
