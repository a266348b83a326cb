import type { Terminal } from "@earendil-works/pi-tui";

/** A terminal that shows nothing and remembers what was written to it. */
export interface FakeTerminal extends Terminal {
  readonly written: () => string;
  /** Another size from now on; nobody is told. */
  readonly resize: (columns: number, rows: number) => void;
}

export function createFakeTerminal(columns = 80, rows = 24): FakeTerminal {
  let written = "";
  let size = { columns, rows };
  const nothing = () => {};
  return {
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    resize(newColumns, newRows) {
      size = { columns: newColumns, rows: newRows };
    },
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
