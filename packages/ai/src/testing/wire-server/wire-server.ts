import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Model } from "../../model.ts";
import { createPrefixCache } from "../prefix-cache.ts";
import { createScript } from "../script.ts";
import { scriptedModel } from "../scripted-model.ts";
import { anthropicMessagesFormat } from "./anthropic-messages/index.ts";
import { googleGenerativeAiFormat, type ThoughtSignatures } from "./google-generative-ai/index.ts";
import { BAD_KEY, handleRequest, plainHeaders, sendJson, type WireState } from "./handle-request.ts";
import { openaiCompletionsFormat, type ReasoningReplay } from "./openai-completions/index.ts";
import { openaiResponsesFormat } from "./openai-responses/index.ts";
import type { WireAnswers, WireStep } from "./wire-answer.ts";
import type { WireFormat } from "./wire-format.ts";
import type { RejectedRequest, WireRequest } from "./wire-request.ts";

export interface WireServerOptions {
  readonly answers: WireAnswers;
  /** The one key that is accepted. */
  readonly apiKey?: string;
  /** Ids that the formats' lists of models hold; any model id is answered. */
  readonly models?: readonly string[];
  /** Tokens (about 4 characters each); a longer prompt is refused as the provider refuses it. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Refuse a prompt whose requested output no longer fits the window beside it (where the API counts so). */
  readonly windowIncludesOutput?: boolean;
  /**
   * Refuse what the Messages API refuses under a thinking budget: results for an answer that did not begin with
   * thinking, for example one of another model. Off by default, since scripts rarely think before every call.
   */
  readonly thinkingStartsToolTurns?: boolean;
  /** Body fields to accept beyond the official ones, for servers with a dialect. */
  readonly extraFields?: readonly string[];
  /** Servers with one seed know each other's reasoning signatures. */
  readonly signatureSeed?: string;
  readonly reasoningReplay?: ReasoningReplay;
  readonly thoughtSignatures?: ThoughtSignatures;
  /** A longer body is a 413. */
  readonly maxBodyBytes?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** A running server on loopback. Close it, or bind it with `await using`. */
export interface WireServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a path. */
  readonly origin: string;
  readonly apiKey: string;
  /** The base URL that a client of this wire format is given. */
  baseUrl(api: string): string;
  /** A model that reaches this server over a wire format. */
  model(api: string, overrides?: Partial<Model>): Model;
  /** Requests that passed the checks, in order. */
  readonly requests: readonly WireRequest[];
  /** Requests that the server refused as invalid (400, 401, 404, 413); a correct client causes none. */
  readonly rejections: readonly RejectedRequest[];
  /** Requests refused because their prompt was longer than the window. */
  readonly overflows: readonly RejectedRequest[];
  readonly remaining: number;
  push(...steps: readonly WireStep[]): void;
  /** Ends every connection, stalled ones included, and stops listening. */
  close(): Promise<void>;
}

/** What the Messages API takes (API reference, request size limits, 2026-11). */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Starts a server that speaks the model providers' wire formats from a script and refuses what they would refuse.
 *
 * Streaming and non-streaming; usage with a simulated prompt cache; faults as the answers say.
 */
export async function createWireServer(options: WireServerOptions): Promise<WireServer> {
  const limits = {
    contextWindow: options.contextWindow ?? 200_000,
    maxOutputTokens: options.maxOutputTokens ?? 64_000,
    extraFields: options.extraFields ?? [],
    windowIncludesOutput: options.windowIncludesOutput ?? false,
    thinkingStartsToolTurns: options.thinkingStartsToolTurns ?? false,
  };
  const state: WireState = {
    apiKey: options.apiKey ?? "test-key",
    limits,
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    script: createScript(options.answers),
    cache: createPrefixCache(),
    now: options.now ?? Date.now,
    requests: [],
    rejections: [],
    overflows: [],
  };
  const seed = options.signatureSeed ?? "wire";
  const formats = [
    anthropicMessagesFormat({ seed }),
    openaiCompletionsFormat({ reasoningReplay: options.reasoningReplay ?? "issued" }),
    openaiResponsesFormat({ seed }),
    googleGenerativeAiFormat({ seed, thoughtSignatures: options.thoughtSignatures ?? "issued" }),
  ];
  const models = options.models ?? ["wire-1"];
  const server = createServer((incoming, response) => {
    route({ incoming, response, formats, models, state }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { type: "script_error", message: String(error) } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return facade({ server, origin, formats, models, state });
}

interface Facade {
  readonly server: Server;
  readonly origin: string;
  readonly formats: readonly WireFormat[];
  readonly models: readonly string[];
  readonly state: WireState;
}

function facade({ server, origin, formats, models, state }: Facade): WireServer {
  const baseUrl = (api: string) => {
    const format = formats.find((each) => each.api === api);
    if (format === undefined) throw new TypeError(`The wire server does not speak "${api}".`);
    return origin + format.basePath;
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    origin,
    apiKey: state.apiKey,
    baseUrl,
    model: (api, overrides) =>
      scriptedModel({
        id: models[0] ?? "wire-1",
        name: "Wire",
        api,
        provider: "wire",
        baseUrl: baseUrl(api),
        contextWindow: state.limits.contextWindow,
        ...overrides,
      }),
    requests: state.requests,
    rejections: state.rejections,
    overflows: state.overflows,
    get remaining() {
      return state.script.remaining;
    },
    push: (...steps) => state.script.push(...steps),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Route {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly formats: readonly WireFormat[];
  readonly models: readonly string[];
  readonly state: WireState;
}

async function route({ incoming, response, formats, models, state }: Route): Promise<void> {
  const { pathname: path, search } = new URL(incoming.url ?? "/", "http://localhost");
  const method = incoming.method ?? "GET";
  const format = formats.find((each) => each.matches(method, path));
  const target = path + search;
  if (format !== undefined) return handleRequest({ incoming, response, format, path, target, state });
  incoming.resume();
  const listing = formats.find((each) => method === "GET" && each.models?.path === path);
  if (listing !== undefined) {
    const key = listing.keyOf(plainHeaders(incoming));
    if (key === state.apiKey) return sendJson(response, 200, listing.models?.list(models, state.limits));
    const rejection = listing.badKey?.(key) ?? BAD_KEY;
    return sendJson(response, rejection.status, listing.refusal(rejection));
  }
  if (method === "GET" && path === "/v1/models") {
    const headers = plainHeaders(incoming);
    const keys = formats.map((each) => each.keyOf(headers));
    if (!keys.includes(state.apiKey)) return sendJson(response, 401, UNAUTHORIZED);
    const data = models.map((id) => ({ id, object: "model", type: "model", created: 0, owned_by: "wire" }));
    return sendJson(response, 200, { object: "list", data, has_more: false });
  }
  const message = `Invalid URL (${method} ${path})`;
  state.rejections.push({ status: 404, message, api: "", path, body: undefined });
  sendJson(response, 404, { error: { message, type: "invalid_request_error", param: null, code: null } });
}

const UNAUTHORIZED = {
  error: {
    message: "Incorrect API key provided",
    type: "invalid_request_error",
    param: null,
    code: "invalid_api_key",
  },
};
