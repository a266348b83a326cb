import { ProcessTerminal } from "@earendil-works/pi-tui";
import { withEscapeWait } from "../../env.ts";

const FRAME_BEGIN = "\u001b[?2026h";
const FRAME_END = "\u001b[?2026l";
const NO_WRAP = "\u001b[?7l";
const WRAP = "\u001b[?7h";

/** The terminal of the process, for a program that did not have it from the first moment on. */
export class OwnTerminal extends ProcessTerminal {
  /** An Enter that was typed before raw mode arrives as a line feed; in raw mode that is another key. */
  override start(onInput: (data: string) => void, onResize: () => void): void {
    let isTypedBefore = true;
    const onData = (data: string) => onInput(isTypedBefore && data === "\n" ? "\r" : data);
    withEscapeWait(() => super.start(onData, onResize));
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
