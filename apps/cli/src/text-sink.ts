import type { Writable } from "node:stream";

/** An output of the program: text in order, with backpressure. */
export interface TextSink {
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
  /** Resolves once the text is handed to the system. Never rejects: what fails is reported by `onFailed`. */
  write(text: string): Promise<void>;
}

export interface TextSinkOptions {
  /** Called when a write fails, with the system's error: `EPIPE` when the reader has gone away. May be called often. */
  readonly onFailed: (error: Error) => void;
  /** Called before each write to a terminal. */
  readonly beforeWrite?: () => void;
}

/** A sink over a stream. */
export function createTextSink(stream: Writable, { onFailed, beforeWrite }: TextSinkOptions): TextSink {
  const terminal = stream as Writable & { readonly isTTY?: boolean; readonly columns?: number };
  const write = stream.write.bind(stream);
  // Without a listener the error of a closed pipe would end the process in the middle of a write to the session.
  stream.on("error", onFailed);
  return {
    isTerminal: terminal.isTTY === true,
    get columns() {
      return terminal.columns;
    },
    write: (text) =>
      new Promise((done) => {
        if (terminal.isTTY === true) beforeWrite?.();
        write(text, (error) => {
          if (error) onFailed(error);
          done();
        });
      }),
  };
}

/** Sends everything else that is written to `stdout` to `stderr`, so that only a sink made before reaches it. */
export function guardStdout(stdout: Writable, stderr: Writable): void {
  // Looked up at each call: what watches the writes of `stderr` may begin later.
  stdout.write = ((...given: Parameters<Writable["write"]>) => stderr.write(...given)) as Writable["write"];
}
