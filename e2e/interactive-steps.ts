import { join } from "node:path";
import { textOf } from "@coppice/ai";
import { JsonlRepo } from "@coppice/session";
import { expect } from "vitest";
import { type Playground, sessionFiles } from "./spawn-coppice.ts";
import { KEYS, openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts";

/** Several waits, each within its own bound. */
export const TIMEOUT_MS = 300_000;
export const RESTORED = {
  ...{ isAlternateScreen: false, isCursorHidden: false, isBracketedPaste: false },
  ...{ isKittyKeyboard: false, isModifyOtherKeys: false, isWrapOff: false },
};

/** The demo, and nobody who has to be asked. */
export const AUTO = ["--model", "demo", "--permission-mode", "auto"];

export const isReady = (screen: string) => /[█░]/.test(screen);
export const isWorking = (screen: string) => screen.includes("Esc to interrupt");

/** A terminal that is ready for a first prompt; without `args` to the demo. */
export async function openReady(
  options: Omit<TerminalOptions, "args"> & Partial<Pick<TerminalOptions, "args">>,
): Promise<Terminal> {
  const terminal = openTerminal({ args: ["--model", "demo"], ...options });
  try {
    await terminal.until("the editor", isReady);
    return terminal;
  } catch (error) {
    await terminal[Symbol.asyncDispose]();
    throw error;
  }
}

/** A command that runs, with what it has said so far. */
export const isRunning = (screen: string) =>
  /● bash .*\(running\)\n( .*\n|\n)* +begun/.test(screen) && isWorking(screen);

/** The prompts of each session file, oldest file first; every file opens without a complaint. */
export async function storedPrompts(playground: Playground): Promise<readonly (readonly string[])[]> {
  const repo = new JsonlRepo({ directory: join(playground.home, ".coppice/sessions") });
  const all = [];
  for (const path of await sessionFiles(playground)) {
    const session = await repo.open(path, { readOnly: true });
    const { messages, diagnostics } = await session.buildContext();
    expect(diagnostics).toEqual([]);
    all.push(messages.flatMap((message) => (message.role === "user" ? [textOf(message.content)] : [])));
    await session.close();
  }
  return all;
}

export async function ask(terminal: Terminal, prompt: string, answer: string): Promise<void> {
  terminal.type(`${prompt}${KEYS.enter}`);
  await terminal.until(
    `the answer to “${prompt}”`,
    (screen) => screen.includes(answer) && !isWorking(screen),
  );
}

export async function quit(terminal: Terminal): Promise<void> {
  terminal.type(`/quit${KEYS.enter}`);
  expect(await terminal.exited).toBe(0);
  expect(terminal.modes()).toEqual(RESTORED);
}
