/** Where a stream of terminal output stands between two chunks. */
type State = "text" | "escape" | "intermediate" | "csi" | "string" | "string-escape";

/**
 * Turns what a program prints into plain text, independent of how it is cut into chunks.
 *
 * Control sequences (ECMA-48: CSI, OSC, DCS, APC, PM, SOS, two-character escapes) and control characters go, newline
 * and tab stay. A carriage return starts the line over and a backspace takes a character back, as on a screen, so that
 * progress bars take one line. `onText` gets text to append, `onRestartLine` says that the current line starts over.
 */
export class ScreenText {
  readonly #sink: ScreenTextSink;
  #state: State = "text";
  #afterReturn = false;

  constructor(sink: ScreenTextSink) {
    this.#sink = sink;
  }

  push(chunk: string): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.#state === "text" && !this.#afterReturn && (isPlain(code) || code === 0x0a)) continue;
      if (at > from) this.#sink.append(chunk.slice(from, at));
      from = this.#accept(code) ? at : at + 1;
    }
    if (chunk.length > from) this.#sink.append(chunk.slice(from));
  }

  /** True when the character is text to keep. */
  #accept(code: number): boolean {
    if (this.#state !== "text") {
      // CAN and SUB end any sequence; so does a line break, lest a stray escape swallow all that follows.
      const isEnd = code === 0x18 || code === 0x1a || code === 0x0a;
      this.#state = isEnd ? "text" : nextState(this.#state, code);
      return code === 0x0a;
    }
    if (code === 0x0a) {
      this.#afterReturn = false;
      return true;
    }
    if (code === 0x0d) {
      this.#afterReturn = true;
      return false;
    }
    if (isPlain(code)) {
      if (this.#afterReturn) this.#sink.restartLine();
      this.#afterReturn = false;
      return true;
    }
    if (code === 0x08) this.#sink.backspace();
    else this.#state = startOf(code);
    return false;
  }
}

export interface ScreenTextSink {
  append(text: string): void;
  /** The cursor went back to the start of the line and text follows. */
  restartLine(): void;
  /** The last character of the line goes. */
  backspace(): void;
}

function startOf(code: number): State {
  if (code === 0x1b) return "escape";
  if (code === 0x9b) return "csi";
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f) ? "string" : "text";
}

function nextState(state: Exclude<State, "text">, code: number): State {
  switch (state) {
    case "escape":
      if (code === 0x5b) return "csi";
      if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) return "string";
      if (code === 0x1b) return "escape";
      return code >= 0x20 && code <= 0x2f ? "intermediate" : "text";
    case "intermediate":
      return code >= 0x20 && code <= 0x2f ? "intermediate" : "text";
    case "csi":
      if (code === 0x1b) return "escape";
      return code >= 0x40 && code <= 0x7e ? "text" : "csi";
    case "string":
      if (code === 0x07 || code === 0x9c) return "text";
      return code === 0x1b ? "string-escape" : "string";
    case "string-escape":
      return code === 0x5c ? "text" : nextState("escape", code);
  }
}

/** Everything but C0, DEL, C1, and the invisible format characters that break rows (U+0600–0605, bidi overrides). */
function isPlain(code: number): boolean {
  if (code < 0x20) return code === 0x09;
  if (code < 0x7f) return true;
  if (code < 0xa0) return false;
  if (code >= 0x0600 && code <= 0x0605) return false;
  return !(code >= 0x202a && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069);
}
