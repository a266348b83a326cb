import { setCapabilityOverrides, type TuiMainScreen } from "@earendil-works/pi-tui";
import { watchForLoss } from "./lost-terminal.ts";
import { OwnScreen } from "./own-screen.ts";
import { OwnTerminal } from "./own-terminal.ts";
import { handleStops } from "./process-stops.ts";

/** The terminal while the application owns it. */
export interface TerminalSession {
  readonly tui: TuiMainScreen;
  /** Settles when the terminal has gone away; rejects with what nobody caught. */
  readonly lost: Promise<void>;
  /** Gives the terminal back to the shell until the process is continued. */
  readonly suspend: () => void;
  /** Gives the terminal to another program until `run` is over, however it ends. */
  readonly lend: (run: () => Promise<void>) => Promise<void>;
  /** Lines that something else wrote to standard error; told from now on. */
  onStray(listener: (text: string) => void): void;
  /** Swallows keys still on their way (fault B208) and restores every mode. Idempotent. */
  end(): Promise<void>;
}

/** Takes the terminal over. Modes are restored on `end`, and by an exit handler on every other way out. */
export function startTerminalSession(): TerminalSession {
  // A link's address is printed: hidden behind a text, it could say another thing than the text does.
  setCapabilityOverrides({ hyperlinks: false });
  const tui = new OwnScreen(new OwnTerminal());
  const lost = watchForLoss();
  const stray = captureStderr();
  const stops = handleStops(tui);
  tui.start();
  let ended: Promise<void> | undefined;
  const end = async () => {
    stops.release();
    await tui.terminal.drainInput();
    tui.stop();
    lost.release();
    stray.release();
  };
  return {
    tui,
    lost: lost.promise,
    suspend: stops.suspend,
    lend: stops.lend,
    onStray: stray.listen,
    end: () => {
      ended ??= end();
      return ended;
    },
  };
}

/** What dependencies print would land in the middle of the screen; it becomes a notice instead. */
function captureStderr() {
  const { write } = process.stderr;
  let listener: (text: string) => void = () => {};
  process.stderr.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    listener(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
    const callback = rest.find((argument) => typeof argument === "function");
    if (callback !== undefined) queueMicrotask(() => callback());
    return true;
  }) as typeof write;
  return {
    listen(next: (text: string) => void) {
      listener = next;
    },
    release() {
      process.stderr.write = write;
    },
  };
}
