import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { killTree, signalGroup } from "../env/kill-tree.ts";
import { lastBytes } from "../text/truncate.ts";
import { MessageLines } from "./message-lines.ts";

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All of the process's environment. */
  readonly environmentVariables: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Bytes of one message. */
  readonly maxMessageBytes: number;
}

const KEPT_STDERR_BYTES = 2000;

/** Leaders of the groups that are at work, for the moment in which this process exits without having closed them. */
const leaders = new Set<number>();

function guard(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (leaders.size === 0) process.on("exit", endGroups);
  leaders.add(pid);
  child.once("close", () => {
    leaders.delete(pid);
    if (leaders.size === 0) process.removeListener("exit", endGroups);
  });
}

function endGroups(): void {
  for (const pid of leaders) signalGroup(pid, "SIGKILL");
}

/**
 * Talks to a server that is a process: one JSON message a line on its standard input and output.
 *
 * It runs in a process group of its own, which is gone after `close` and when this process exits. What it writes on
 * standard error reaches no terminal; the end of it is kept.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioTransportOptions;
  #child: ChildProcess | undefined;
  #closing: Promise<void> | undefined;
  #stderr = "";

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** The end of what the server wrote on standard error. */
  get stderr(): string {
    return this.#stderr.trim();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args, environmentVariables, cwd } = this.#options;
    const child = spawn(command, args, {
      ...{ cwd, env: { ...environmentVariables }, stdio: "pipe" as const },
      ...{ detached: true, windowsHide: true },
    });
    this.#child = child;
    guard(child);
    this.#listen(child);
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
      child.once("close", () => this.onclose?.());
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) throw new Error("The server's process has ended.");
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the whole process group: politely, then by force. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin?.end();
    const hasExited = child.exitCode !== null || child.signalCode !== null;
    const exited = hasExited ? Promise.resolve() : new Promise((done) => child.once("exit", done));
    await killTree({ pid: child.pid, exited });
    // Somebody else may hold the pipes open; nobody listens to them any more.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }

  #listen(child: ChildProcess): void {
    const lines = new MessageLines({
      maxBytes: this.#options.maxMessageBytes,
      onLine: (line) => this.#receive(line),
    });
    child.stdout?.on("data", (chunk: Uint8Array) => {
      try {
        lines.push(chunk);
      } catch (error) {
        this.onerror?.(error as Error);
        void this.close();
      }
    });
    child.stderr?.on("data", (chunk: Uint8Array) => {
      const text = Buffer.from(chunk.subarray(-KEPT_STDERR_BYTES)).toString("utf8");
      this.#stderr = lastBytes(this.#stderr + text, KEPT_STDERR_BYTES);
    });
    for (const stream of [child, child.stdin, child.stdout, child.stderr])
      stream?.on("error", (error) => this.onerror?.(error));
    // What holds the pipes open after the server's own end is its children's; they must not look like a living server.
    child.once("exit", () => void this.close());
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Servers print greetings and logs where only messages belong.
      return;
    }
    if (typeof message === "object" && message !== null) this.onmessage?.(message as JSONRPCMessage);
  }
}
