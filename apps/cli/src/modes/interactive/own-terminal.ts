import { ProcessTerminal, TuiMainScreen } from "@earendil-works/pi-tui";

const FRAME_BEGIN = "\u001b[?2026h";
const FRAME_END = "\u001b[?2026l";
const NO_WRAP = "\u001b[?7l";
const WRAP = "\u001b[?7h";

/** The terminal of the process, for a program that did not have it from the first moment on. */
export class OwnTerminal extends ProcessTerminal {
  /** An Enter that was typed before raw mode arrives as a line feed; in raw mode that is another key. */
  override start(onInput: (data: string) => void, onResize: () => void): void {
    let isTypedBefore = true;
    super.start((data) => onInput(isTypedBefore && data === "\n" ? "\r" : data), onResize);
    // Everything that waited comes in the first piece, and the listener above is told of it first.
    process.stdin.once("data", () => {
      isTypedBefore = false;
    });
  }

  /** Keeps lines of a frame that the terminal draws wider than they were measured from breaking into two (fault B199). */
  override write(data: string): void {
    super.write(unwrapped(data));
  }

  /** Raw mode may have been on before this terminal was started. */
  override stop(): void {
    super.stop();
    process.stdin.setRawMode?.(false);
  }
}

/** A frame, or the beginning or end of one that is too long for one write, with line wrapping off as long as it lasts. */
export function unwrapped(data: string): string {
  const begin = data.startsWith(FRAME_BEGIN) ? NO_WRAP : "";
  return `${begin}${data}${data.endsWith(FRAME_END) ? WRAP : ""}`;
}

/** The main screen, which leaves what it showed as it was, and whose frames cost what changed in them. */
export class OwnScreen extends TuiMainScreen {
  #before: { readonly lines: readonly string[]; readonly ended: readonly string[] } = {
    lines: [],
    ended: [],
  };

  /**
   * Ends each line as the terminal needs it; lines that are as in the frame before are not made again, and are found to
   * be the same without being read (fault kind UI-17).
   */
  protected override applyLineResets(lines: string[]): string[] {
    const { lines: linesBefore, ended: endedBefore } = this.#before;
    const ended = lines.map((line, index) => {
      const before = linesBefore[index] === line ? endedBefore[index] : undefined;
      return before ?? super.applyLineResets([line])[0] ?? line;
    });
    this.#before = { lines, ended };
    return ended;
  }

  /** Puts the cursor below the last line; nothing is written over. */
  protected override beforeTerminalStop(): void {
    const { previousLines, hardwareCursorRow } = this.captureRenderState();
    if (previousLines.length === 0) return;
    const rows = previousLines.length - 1 - hardwareCursorRow;
    const move = rows === 0 ? "" : `\u001b[${Math.abs(rows)}${rows > 0 ? "B" : "A"}`;
    this.terminal.write(`${move}\r\n`);
  }
}
