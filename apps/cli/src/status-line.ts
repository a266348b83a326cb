import type { Writable } from "node:stream";

/** Back to the first column, and clear the line (ECMA-48: CR, EL 2). */
const ERASE = "\r\u001b[2K";

/** One line at the end of a terminal that is rewritten in place and gives way to whatever else is written. */
export interface StatusLine {
  /** Puts the text, one inert line narrower than the terminal, where the cursor is. */
  show(text: string): void;
  /** Takes the line away; nothing where there is none. */
  erase(): void;
}

/** The status line of a terminal's stream. Other writes to the same stream erase it first, whoever makes them. */
export function createStatusLine(stream: Writable): StatusLine {
  let write: Writable["write"] | undefined;
  let isShown = false;
  const erase = () => {
    if (!isShown) return;
    isShown = false;
    write?.(ERASE);
  };
  /** Only once there is a line: most runs end before. */
  const watchWrites = () => {
    const original = stream.write.bind(stream);
    stream.write = ((...given: Parameters<Writable["write"]>) => {
      erase();
      return original(...given);
    }) as Writable["write"];
    return original;
  };
  return {
    show(text) {
      write ??= watchWrites();
      write(isShown ? `${ERASE}${text}` : text);
      isShown = true;
    },
    erase,
  };
}
