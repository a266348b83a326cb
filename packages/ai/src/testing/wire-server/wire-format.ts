import type { PrefixCache } from "../prefix-cache.ts";
import type { ScriptedAnswer } from "../scripted-answer.ts";
import type { JsonObject } from "./json-shape.ts";
import type { WireRejection, WireTurn } from "./wire-request.ts";

/** What a server of every format is set up with. */
export interface WireLimits {
  /** Tokens; a longer prompt is refused in the provider's overflow wording. */
  readonly contextWindow: number;
  /** Largest output a request may ask for, in tokens. */
  readonly maxOutputTokens: number;
  /** Body fields beyond the official ones, for servers with a dialect of their own. */
  readonly extraFields: readonly string[];
  /** Prompt and requested output must fit the window together, where the API has such a rule. */
  readonly windowIncludesOutput: boolean;
  /** With a thinking budget, an answer whose calls have just been answered must begin with thinking. */
  readonly thinkingStartsToolTurns: boolean;
}

/** Tokens of one call before the format words them. `cacheWrite` is inside `input`; `cacheRead` is not. */
export interface WireUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** One server-sent event; `isDelta` marks those that faults and gates count. */
export interface WireFrame {
  readonly event?: string;
  readonly data: string;
  readonly isDelta?: boolean;
  /** The format's terminal event begins here: a `cut` ends the body before it. */
  readonly isEnd?: boolean;
}

export interface WireReply {
  readonly answer: ScriptedAnswer;
  readonly callIndex: number;
  readonly body: JsonObject;
  /** Path and query of the request. */
  readonly target: string;
  readonly usage: WireUsage;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What went wrong, for the format to put into its own error body. */
export interface WireProblem {
  readonly kind: "rate_limit" | "quota" | "overflow" | "status";
  readonly status?: number;
  readonly message?: string;
  /** What `Retry-After` says, for formats that repeat it in the body. */
  readonly retryAfter?: string;
  /** Sizes for the overflow wording; `outputTokens` where only prompt and output together are too much. */
  readonly promptTokens?: number;
  readonly outputTokens?: number;
  readonly contextWindow?: number;
}

/** The request as a format reads it. */
export interface WireReading {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly string[];
  readonly turns: readonly WireTurn[];
}

/**
 * One wire format of the server: recognise, check, read, answer. Pure apart from what it remembers of its own answers
 * (signatures that it issued).
 */
export interface WireFormat {
  readonly api: string;
  /** Path of the format's base URL on this server: what a client's `baseUrl` ends with. */
  readonly basePath: string;
  /** True for a request line that is this format's generation endpoint. */
  matches(method: string, path: string): boolean;
  /** The key that came with the request; undefined = none. */
  keyOf(headers: Readonly<Record<string, string>>): string | undefined;
  /** How a wrong key is refused; absent = with a 401. */
  badKey?(key: string | undefined): WireRejection;
  /** The first rule that the body breaks. */
  validate(body: JsonObject, limits: WireLimits): WireRejection | undefined;
  /** `target` is path and query: some formats have the model there. */
  read(body: JsonObject, target: string): WireReading;
  measure(body: JsonObject, cache: PrefixCache, target: string): Omit<WireUsage, "output" | "reasoning">;
  /** Requested output that the API counts against the window beside the prompt; absent = it counts none. */
  countedOutput?(body: JsonObject): number;
  /** A list of models of the format's own; absent = `GET /v1/models`. */
  readonly models?: { readonly path: string; list(ids: readonly string[], limits: WireLimits): unknown };
  /** Frames of the streamed answer, terminal event included. */
  frames(reply: WireReply): Iterable<WireFrame>;
  /** The answer in one piece. */
  whole(reply: WireReply): unknown;
  /** Status and body for a refusal or a fault. */
  problem(problem: WireProblem): { readonly status: number; readonly body: unknown };
  refusal(rejection: WireRejection): unknown;
  /** The format's error inside a stream. */
  errorFrame(): WireFrame;
  /** The format's own keep-alive beside SSE comments, where it has one. */
  readonly keepAlive?: WireFrame;
}
