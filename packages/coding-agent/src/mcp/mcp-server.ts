import { untilAborted } from "@coppice/agent";
import { messageOf } from "../errors.ts";
import type { Sleep } from "../sleep.ts";
import { clipLine } from "../text/truncate.ts";
import type { Connect, McpCall, McpConnection, McpTool } from "./connection.ts";
import type { McpServerConfig } from "./server-config.ts";
import type { McpCallResult } from "./tool-result.ts";

/** How a server is: `waiting` = it will be tried again by itself. */
export type McpServerState = "connecting" | "ready" | "waiting" | "failed" | "stopped";

export interface McpServerStatus {
  readonly name: string;
  readonly state: McpServerState;
  readonly tools: number;
  /** Why it is not ready. */
  readonly error: string | undefined;
}

export interface McpServerOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly connect: Connect;
  /** Waits between attempts. */
  readonly sleep: Sleep;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The server's tools, each time they change. */
  readonly onTools: (tools: readonly McpTool[]) => void;
  /** It could not be started, or broke down. */
  readonly onTrouble: (message: string) => void;
}

/** Waits before further attempts; after the last one a server is tried again only when it is called. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 16_000];
/** Servers answer with whole pages. */
const MOST_ERROR_CHARS = 500;
/** A connection that held so long was a good one: what comes then is a new trouble. */
const STEADY_MS = 60_000;

/**
 * One server: connected in the background, again after it broke down, and when it is called.
 *
 * Its tools stay known while it is away, so that the model's list does not flicker; a call waits for it.
 */
export class McpServer {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly #options: McpServerOptions;
  readonly #stopped = new AbortController();
  readonly #settled = Promise.withResolvers<void>();
  #state: McpServerState = "connecting";
  #error: string | undefined;
  #toolCount = 0;
  #connection: McpConnection | undefined;
  #opening: Promise<McpConnection> | undefined;
  #isTrying = false;
  #attempts = 0;
  #readyAtMs = 0;

  constructor(options: McpServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.config = options.config;
  }

  get status(): McpServerStatus {
    return { name: this.name, state: this.#state, tools: this.#toolCount, error: this.#error };
  }

  /** Resolves when the first attempt is over, well or badly. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Connects in the background, with more attempts where it may help. */
  start(): void {
    void this.#keepTrying();
  }

  /** Calls a tool; connects first when the server is away. */
  async call(call: McpCall): Promise<McpCallResult> {
    const connection = this.#connection ?? (await untilAborted(this.#open(), call.signal));
    try {
      return await connection.call(call);
    } catch (error) {
      // The server never saw a call of a session that it does not know.
      if (!call.signal.aborted && httpStatusOf(error) === 404) {
        await this.#drop(connection);
        return (await untilAborted(this.#open(), call.signal)).call(call);
      }
      if (!call.signal.aborted && isNetworkFailure(error)) this.#onLost(connection);
      throw error;
    }
  }

  /** Ends the connection and makes a new one; resolves when that is done or has failed. */
  async restart(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#attempts = 0;
    await connection?.close();
    await this.#open().catch(() => {});
  }

  /** Ends the connection; resolves when the server's processes are gone. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error(`The server ${this.name} is stopped.`));
    this.#state = "stopped";
    this.#settled.resolve();
    await this.#opening?.catch(() => {});
    await this.#connection?.close();
    this.#connection = undefined;
  }

  async #keepTrying(): Promise<void> {
    if (this.#isTrying) return;
    this.#isTrying = true;
    const { sleep, onTrouble } = this.#options;
    const { signal } = this.#stopped;
    try {
      while (!signal.aborted && this.#connection === undefined) {
        const error = await this.#open().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined || signal.aborted) return;
        const delayMs = isLasting(error) ? undefined : RETRY_DELAYS_MS[this.#attempts];
        this.#attempts++;
        if (delayMs === undefined) {
          onTrouble(`The server ${this.name} is not available: ${this.#error}`);
          return;
        }
        this.#state = "waiting";
        if (this.#attempts === 1)
          onTrouble(`The server ${this.name} did not start and is tried again: ${this.#error}`);
        await sleep(delayMs, signal);
      }
    } finally {
      this.#isTrying = false;
    }
  }

  /** One attempt at a time, whoever asks for it. */
  #open(): Promise<McpConnection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
      this.#settled.resolve();
    });
    return this.#opening;
  }

  async #connect(): Promise<McpConnection> {
    const { name, config, connect, now, onTools } = this.#options;
    const { signal } = this.#stopped;
    signal.throwIfAborted();
    this.#state = "connecting";
    const show = (tools: readonly McpTool[]) => {
      if (signal.aborted) return;
      this.#toolCount = tools.length;
      onTools(tools);
    };
    const lost: { connection?: McpConnection } = {};
    try {
      const onLost = () => void (lost.connection !== undefined && this.#onLost(lost.connection));
      const connection = await connect({ name, config, signal, onToolsChanged: show, onLost });
      lost.connection = connection;
      this.#connection = connection;
      this.#state = "ready";
      this.#error = undefined;
      this.#readyAtMs = now();
      show(connection.tools);
      return connection;
    } catch (error) {
      if (!signal.aborted) this.#state = "failed";
      this.#error = clipLine(messageOf(error), MOST_ERROR_CHARS);
      throw error;
    }
  }

  #onLost(connection: McpConnection): void {
    void this.#drop(connection).then(() => {
      if (!this.#stopped.signal.aborted) void this.#keepTrying();
    });
  }

  async #drop(connection: McpConnection): Promise<void> {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#state = "waiting";
    this.#error = "the connection was lost";
    if (this.#options.now() - this.#readyAtMs >= STEADY_MS) this.#attempts = 0;
    await connection.close();
  }
}

/** Trouble that another attempt does not change: no such program, no permission, a variable that is not set. */
function isLasting(error: unknown): boolean {
  const status = httpStatusOf(error);
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429) return true;
  const codes = new Set<unknown>(["ENOENT", "EACCES", "ENOTDIR", "invalid_setting"]);
  return chainOf(error).some(({ code }) => codes.has(code));
}

function isNetworkFailure(error: unknown): boolean {
  return httpStatusOf(error) !== undefined || chainOf(error).some(({ name }) => name === "TypeError");
}

function httpStatusOf(error: unknown): number | undefined {
  return chainOf(error)
    .map(({ status }) => status)
    .find((status) => typeof status === "number");
}

interface ErrorFacts {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
}

function chainOf(error: unknown): readonly ErrorFacts[] {
  const chain: ErrorFacts[] = [];
  let current = error as ErrorFacts | null | undefined;
  while (typeof current === "object" && current !== null && chain.length < 5) {
    chain.push(current);
    current = current.cause as ErrorFacts | undefined;
  }
  return chain;
}
