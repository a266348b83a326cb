import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RipgrepExit, RunRipgrep } from "./environment.ts";

const MAX_STDERR_BYTES = 4096;
/** A longer line is not a path or a match record that anyone can use; its rest is dropped. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Ripgrep from the package `@vscode/ripgrep`; its binary is looked up at first use. */
export function createLocalRipgrep(options: {
  readonly environmentVariables: Readonly<Record<string, string>>;
}): RunRipgrep {
  return async (args, { cwd, signal, onLine, lineEnd = "\n" }) => {
    const path = await findRipgrep();
    signal.throwIfAborted();
    // A user's own configuration file would change what a pattern means.
    const child = spawn(path, ["--no-config", ...args], {
      cwd,
      env: options.environmentVariables,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = (): void => {
      child.kill("SIGKILL");
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await collect(child, new LineFeed(onLine, lineEnd), stop);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

async function findRipgrep(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch (cause) {
    throw Object.assign(new Error("ripgrep is not installed for this platform", { cause }), {
      code: "ENOENT",
    });
  }
}

async function collect(
  child: ReturnType<typeof spawn>,
  lines: LineFeed,
  stop: () => void,
): Promise<RipgrepExit> {
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(0, MAX_STDERR_BYTES);
  });
  child.stdout?.on("data", (chunk: Buffer) => {
    if (!lines.push(chunk)) stop();
  });
  const [code] = (await once(child, "close")) as [number | null];
  lines.end();
  return { exitCode: code ?? undefined, stderr };
}

/** Cuts a byte stream into lines. */
class LineFeed {
  readonly #onLine: (line: string) => boolean;
  readonly #lineEnd: number;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #open = true;

  constructor(onLine: (line: string) => boolean, lineEnd: string) {
    this.#onLine = onLine;
    this.#lineEnd = lineEnd.charCodeAt(0);
  }

  /** False once the listener wants no more. */
  push(chunk: Buffer): boolean {
    let start = 0;
    const lineEnd = this.#lineEnd;
    for (let end = chunk.indexOf(lineEnd); this.#open && end !== -1; end = chunk.indexOf(lineEnd, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#flush();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return this.#open;
  }

  end(): void {
    if (this.#open && this.#restBytes > 0) this.#flush();
  }

  #keep(part: Buffer): void {
    if (this.#restBytes >= MAX_LINE_BYTES) return;
    this.#rest.push(part);
    this.#restBytes += part.length;
  }

  #flush(): void {
    const line = Buffer.concat(this.#rest).toString("utf8");
    this.#rest = [];
    this.#restBytes = 0;
    this.#open = this.#onLine(line);
  }
}
