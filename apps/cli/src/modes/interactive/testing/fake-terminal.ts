import type { Terminal } from "@earendil-works/pi-tui";

/** A terminal that shows nothing and remembers what was written to it. */
export interface FakeTerminal extends Terminal {
  readonly written: () => string;
}

export function createFakeTerminal(columns = 80, rows = 24): FakeTerminal {
  let written = "";
  const nothing = () => {};
  return {
    columns,
    rows,
    kittyProtocolActive: false,
    written: () => written,
    write(data) {
      written += data;
    },
    ...{ start: nothing, stop: nothing, moveBy: nothing, hideCursor: nothing, showCursor: nothing },
    ...{ clearLine: nothing, clearFromCursor: nothing, clearScreen: nothing, setTitle: nothing },
    ...{ setProgress: nothing, setProgramStatus: nothing },
    drainInput: () => Promise.resolve(),
  };
}
