import { failureEvent } from "../failure.ts";
import { createMessageStream, type EventBatch } from "../message-stream.ts";
import type { Model } from "../model.ts";
import type { PostAnswer } from "../post.ts";
import type { ImageRule, Provider, ProviderIo, ToolCallIdRule } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import type { ChatRequest } from "../request.ts";
import { abortable } from "../wait.ts";
import { AnswerBuilder } from "./answer-builder.ts";
import type { ErrorAnswer } from "./classify-answer.ts";
import type { WireFrame } from "./frame.ts";
import { framesOf } from "./frames.ts";
import { HttpCall } from "./http-call.ts";
import { causeOf, HttpFailure, readableBody } from "./http-failure.ts";

/** Reads the frames of one answer in order; throws a `ProviderError` for an answer that failed. */
export interface FrameDecoder {
  frame(frame: WireFrame): void;
  /** The stream is over. Finishes the answer where the format allows an end without a last word. */
  end(): void;
}

export interface DecoderContext {
  readonly request: ChatRequest;
  readonly answer: AnswerBuilder;
  readonly newId: () => string;
  readonly classify: (answer: ErrorAnswer) => ProviderError;
}

export interface OpenCall {
  readonly request: ChatRequest;
  readonly body: unknown;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** What one wire format consists of; the rest of a provider is the same for all. */
export interface WireFormat {
  readonly api: string;
  readonly toolCallIds: ToolCallIdRule;
  readonly images: ImageRule;
  readonly takesSystemMessages?: boolean;
  /** Request → body. Pure. */
  readonly encode: (request: ChatRequest) => unknown;
  /** Credentials and fixed headers of the format; the model's and the request's own are added. */
  readonly headers: (request: ChatRequest) => Readonly<Record<string, string>>;
  /** Where calls go. */
  readonly url: (model: Model) => string;
  /** Sends a call through the vendor's SDK; the body of what it returns is read as server-sent events. */
  readonly open: (call: OpenCall) => Promise<PostAnswer>;
  readonly decoder: (context: DecoderContext) => FrameDecoder;
  readonly classify: (
    answer: ErrorAnswer,
    context: { readonly provider: string; readonly now: number },
  ) => ProviderError;
}

/** A provider over a wire format: timeouts, abort, classification and the guarantees of `MessageStream`. */
export function createWireProvider(format: WireFormat): Provider {
  return {
    api: format.api,
    toolCallIds: format.toolCallIds,
    images: format.images,
    takesSystemMessages: format.takesSystemMessages ?? false,
    stream: (request, io) => {
      const answer = new AnswerBuilder({ request, now: io.now });
      const call = new HttpCall({ ...io, request, headers: headersOf(format, request) });
      return createMessageStream({
        abort: call.close,
        onFailure: (error) =>
          failureEvent({
            request,
            error,
            aborted: request.signal?.aborted ?? false,
            now: io.now(),
            partial: answer.partial(),
          }),
        events: () => events({ format, request, io, answer, call }),
      });
    },
  };
}

interface CallParts {
  readonly format: WireFormat;
  readonly request: ChatRequest;
  readonly io: ProviderIo;
  readonly answer: AnswerBuilder;
  readonly call: HttpCall;
}

async function* events(parts: CallParts): AsyncGenerator<EventBatch, void, void> {
  const { format, request, io, answer, call } = parts;
  const classify = (failure: ErrorAnswer) =>
    format.classify(failure, { provider: request.model.provider, now: io.now() });
  const decoder = format.decoder({ request, answer, newId: io.newId, classify });
  try {
    request.signal?.throwIfAborted();
    requireUrl(request);
    requireSchemas(request);
    const encoded = format.encode(request);
    const body = (await abortable(request.onPayload?.(encoded), call.signal)) ?? encoded;
    let broken: ProviderError | undefined;
    const answered =
      (await call.post(format.url(request.model), body)) ??
      (await format.open({ request, body, fetch: call.fetch, signal: call.signal }));
    for await (const frames of framesOf(answered)) {
      for (const frame of frames) {
        if (broken !== undefined) throw broken;
        broken = readFrame(decoder, frame);
        if (answer.isFinished) break;
      }
      if (answer.isFinished) call.finish();
      yield answer.drain();
      if (answer.isFinished) return;
    }
    // Broken text at the very end is a frame that was cut off.
    if (broken !== undefined) throw truncated(request);
    if (call.failure === undefined && !call.signal.aborted) decoder.end();
    yield answer.drain();
    if (!answer.isFinished) throw call.failure ?? truncated(request);
  } catch (error) {
    yield answer.drain();
    throw withMissingKey(classified(call.failure ?? error, { classify }), request);
  } finally {
    call.close();
  }
}

/**
 * Reads a frame; one that is not JSON, or has another shape than the format's, is returned as an error rather than
 * thrown, since only the next frame tells whether it was merely cut off.
 */
function readFrame(decoder: FrameDecoder, frame: WireFrame): ProviderError | undefined {
  try {
    decoder.frame(frame);
    return undefined;
  } catch (error) {
    if (error instanceof ProviderError) {
      if (error.code === "malformed_stream") return error;
      throw error;
    }
    return new ProviderError({
      code: "malformed_stream",
      message: `The stream held something of another shape than the format's: ${readableBody(frame.data)}`,
      cause: error,
    });
  }
}

function classified(
  error: unknown,
  options: { readonly classify: (answer: ErrorAnswer) => ProviderError },
): ProviderError {
  if (error instanceof ProviderError) return error;
  const failure = causeOf(error, HttpFailure);
  if (failure !== undefined) return options.classify(failure);
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderError({ code: "unknown", message, cause: error });
}

function requireUrl({ model }: ChatRequest): void {
  if (URL.canParse(model.baseUrl)) return;
  throw new ProviderError({
    code: "bad_request",
    message: `The base URL of ${model.provider} is not a URL: "${model.baseUrl}".`,
  });
}

/** A schema that is none would come back as a riddle about the whole request; the tool's name says it at once. */
function requireSchemas({ tools = [] }: ChatRequest): void {
  const broken = tools.find((tool) => !isSchema(tool.parameters));
  if (broken === undefined) return;
  throw new ProviderError({
    code: "bad_request",
    message: `The parameters of the tool "${broken.name}" are not a JSON Schema of an object: ${shown(broken.parameters)}.`,
    advice: "Correct the tool's schema or leave the tool out.",
  });
}

function isSchema(parameters: unknown): boolean {
  if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) return false;
  const { type } = parameters as { type?: unknown };
  return (type === undefined || type === "object") && shown(parameters) !== UNSHOWN;
}

const UNSHOWN = "something that JSON cannot hold";

function shown(value: unknown): string {
  try {
    return readableBody(JSON.stringify(value) ?? String(value));
  } catch {
    return UNSHOWN;
  }
}

/** A key that was never given is another mistake than one that is wrong. */
function withMissingKey(error: ProviderError, { apiKey, model }: ChatRequest): ProviderError {
  if (error.code !== "auth" || apiKey !== undefined) return error;
  return new ProviderError({
    code: "auth",
    message: `${error.message} No API key was given for ${model.provider}.`,
    ...(error.status === undefined ? {} : { status: error.status }),
    cause: error,
  });
}

function truncated(request: ChatRequest): ProviderError {
  return new ProviderError({
    code: "truncated_stream",
    message: `The stream of ${request.model.provider} ended before the answer did.`,
  });
}

function headersOf(format: WireFormat, request: ChatRequest): Readonly<Record<string, string>> {
  return lowerCased(format.headers(request), request.model.headers, request.headers);
}

/** Header names are compared without case, so that a later layer replaces an earlier one however it is written. */
function lowerCased(
  ...layers: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) headers[name.toLowerCase()] = value;
  }
  return headers;
}

/** The JSON object in a frame; undefined for frames without one (`null`, `[]`), an error for text that is not JSON. */
export function jsonOf(frame: WireFrame): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(frame.data);
  } catch (cause) {
    throw new ProviderError({
      code: "malformed_stream",
      message: `The stream held something that is not JSON: ${readableBody(frame.data)}`,
      cause,
    });
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
