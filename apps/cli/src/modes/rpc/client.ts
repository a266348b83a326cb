import { type ChildProcess, spawn } from "node:child_process";
import { LineDecoder } from "./line-decoder.ts";
import type { RpcCommandName, RpcFailure, RpcParams, RpcReady, RpcResponse, RpcResult } from "./protocol.ts";

/** Anything but a response: an event of the agent with its `type`, as in `--mode json`. */
export type RpcEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export interface RpcClientOptions {
  /** Default `coppice`. */
  readonly command?: string;
  /** Before `--mode rpc`: model, session and so on. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly onEvent?: (event: RpcEvent) => void;
}

/** A command that was answered with an error. `code` says which. @public */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: string;
  readonly advice: string | undefined;

  constructor({ code, message, advice }: RpcFailure) {
    super(message);
    this.code = code;
    this.advice = advice;
  }
}

interface Pending {
  readonly resolve: (data: unknown) => void;
  readonly reject: (error: Error) => void;
}

const MAX_STDERR_CHARACTERS = 4_000;

/** A Coppice process that one talks to in types. */
export class RpcClient {
  readonly #child: ChildProcess;
  readonly #onEvent: (event: RpcEvent) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #ready = Promise.withResolvers<RpcReady>();
  readonly #exited: Promise<number | null>;
  #nextId = 1;
  #stderr = "";
  /** Why no more answers come. */
  #ended: Error | undefined;

  /** Starts the process; resolves when it is ready for commands, rejects with its last words when it is not. */
  static async start(options: RpcClientOptions = {}): Promise<RpcClient> {
    const client = new RpcClient(options);
    await client.#ready.promise;
    return client;
  }

  /** The first line: how the agent stands, or what is missing before there can be one. */
  get ready(): Promise<RpcReady> {
    return this.#ready.promise;
  }

  private constructor({ command = "coppice", args = [], cwd, env, onEvent = () => {} }: RpcClientOptions) {
    this.#onEvent = onEvent;
    this.#child = spawn(command, [...args, "--mode", "rpc"], {
      stdio: "pipe",
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    this.#exited = new Promise((resolve) => {
      this.#child.on("close", (code, signal) => {
        this.#fail(new Error(`The agent ended with ${signal ?? code}: ${this.#stderr.trim()}`));
        resolve(code);
      });
    });
    this.#child.on("error", (error) => this.#fail(error));
    // A process that is gone is told of by its end.
    this.#child.stdin?.on("error", () => {});
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARACTERS);
    });
    const decoder = new LineDecoder();
    this.#child.stdout?.on("data", (chunk: Uint8Array) => {
      for (const line of decoder.push(chunk)) if ("text" in line) this.#take(line.text);
    });
  }

  /** Resolves with the command's data; rejects with an `RpcError`, or when the process ends before or has ended. */
  request<Name extends RpcCommandName>(
    type: Name,
    ...[params]: Record<never, never> extends RpcParams<Name>
      ? [params?: RpcParams<Name>]
      : [params: RpcParams<Name>]
  ): Promise<RpcResult<Name>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#child.stdin?.write(`${JSON.stringify({ ...params, id, type })}\n`);
    return answer as Promise<RpcResult<Name>>;
  }

  /** Ends the input; resolves with the exit code once what runs is over, null after a signal. */
  close(): Promise<number | null> {
    this.#child.stdin?.end();
    return this.#exited;
  }

  #take(line: string): void {
    const value: RpcReady | RpcResponse | RpcEvent = JSON.parse(line);
    if (value.type === "response") this.#settle(value as RpcResponse);
    else if (value.type === "ready") this.#ready.resolve(value as RpcReady);
    else this.#onEvent(value as RpcEvent);
  }

  #settle(response: RpcResponse): void {
    const pending = typeof response.id === "number" ? this.#pending.get(response.id) : undefined;
    if (pending === undefined) return;
    this.#pending.delete(response.id as number);
    if (response.success) pending.resolve(response.data);
    else pending.reject(new RpcError(response.error));
  }

  #fail(error: Error): void {
    this.#ended ??= error;
    this.#ready.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
