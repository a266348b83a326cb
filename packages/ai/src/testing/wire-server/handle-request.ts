import type { IncomingMessage, ServerResponse } from "node:http";
import type { PrefixCache } from "../prefix-cache.ts";
import type { Script } from "../script.ts";
import type { ScriptedAnswer } from "../scripted-answer.ts";
import { outputCounts } from "../scripted-usage.ts";
import type { JsonObject } from "./json-shape.ts";
import { sendStream, sendWhole } from "./send-answer.ts";
import { parseBody } from "./valid-text.ts";
import type { WireAnswer, WireFault } from "./wire-answer.ts";
import type { WireFormat, WireLimits, WireProblem, WireReply, WireUsage } from "./wire-format.ts";
import type { RejectedRequest, WireRejection, WireRequest } from "./wire-request.ts";

/** What all requests of one server share. */
export interface WireState {
  readonly apiKey: string;
  readonly limits: WireLimits;
  readonly maxBodyBytes: number;
  readonly script: Script<WireRequest, WireAnswer>;
  readonly cache: PrefixCache;
  readonly now: () => number;
  readonly requests: WireRequest[];
  readonly rejections: RejectedRequest[];
  readonly overflows: RejectedRequest[];
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly format: WireFormat;
  readonly path: string;
  /** Path and query. */
  readonly target: string;
  readonly state: WireState;
}

/** Answers one generation request: check it, take the next answer of the script, send it as the script says. */
export async function handleRequest(exchange: Exchange): Promise<void> {
  const { format, state, path, target } = exchange;
  const bytes = await readBody(exchange.incoming, state.maxBodyBytes);
  if (bytes === undefined) return reject(exchange, undefined, TOO_LARGE);
  const headers = plainHeaders(exchange.incoming);
  const key = format.keyOf(headers);
  if (key !== state.apiKey) return reject(exchange, undefined, format.badKey?.(key) ?? BAD_KEY);
  const parsed = parseBody(bytes);
  if (!parsed.ok) return reject(exchange, undefined, notJson(parsed.why));
  const { body } = parsed;
  const rejection = format.validate(body, state.limits);
  if (rejection !== undefined) return reject(exchange, body, rejection);
  const request: WireRequest = { api: format.api, path, headers, body, ...format.read(body, target) };
  state.requests.push(request);
  await answerRequest(exchange, request);
}

async function answerRequest(exchange: Exchange, request: WireRequest): Promise<void> {
  const { format, state, target } = exchange;
  const { body } = request;
  const measured = format.measure(body, state.cache, target);
  const promptTokens = measured.input + measured.cacheRead + measured.cacheWrite;
  const outputTokens = state.limits.windowIncludesOutput ? (format.countedOutput?.(body) ?? 0) : 0;
  if (promptTokens + outputTokens > state.limits.contextWindow)
    return refuseOverflow(exchange, body, { promptTokens, outputTokens });
  const next = await state.script.next(request).catch((error: unknown) => error as Error);
  if (next instanceof Error) return reject(exchange, body, { status: 400, message: next.message });
  const answer: WireAnswer = withoutError(next.answer);
  const usage = usageOf(measured, answer);
  const reply: WireReply = { answer, callIndex: next.callIndex, body, target, usage, now: state.now() };
  if (answer.fault !== undefined && (await faultBeforeHeaders(exchange, answer.fault, promptTokens))) return;
  const send = request.stream ? sendStream : sendWhole;
  await send({ response: exchange.response, format, answer, reply });
}

function withoutError({ error, ...answer }: ScriptedAnswer | WireAnswer): WireAnswer {
  if (error !== undefined) throw new Error("A wire answer fails by `fault`, not by `error`.");
  return answer;
}

function usageOf(measured: Omit<WireUsage, "output" | "reasoning">, answer: WireAnswer): WireUsage {
  const counts = { ...measured, reasoning: 0, ...outputCounts(withoutError(answer)) };
  const given = Object.entries(answer.usage ?? {}).filter(([, value]) => value !== undefined);
  return { ...counts, ...Object.fromEntries(given) };
}

/** Carries out a fault that replaces the whole response; false = the answer begins first. */
async function faultBeforeHeaders(
  { response, format, state }: Exchange,
  fault: WireFault,
  promptTokens: number,
): Promise<boolean> {
  const { contextWindow } = state.limits;
  const problem = (kind: WireProblem["kind"], more: Partial<WireProblem> = {}, headers = {}) => {
    const { status, body } = format.problem({ kind, promptTokens, contextWindow, ...more });
    sendJson(response, status, body, headers);
    return true;
  };
  switch (fault.kind) {
    case "rate_limit": {
      const { retryAfter } = fault;
      if (retryAfter === undefined) return problem("rate_limit");
      return problem("rate_limit", { retryAfter }, { "retry-after": retryAfter });
    }
    case "quota":
      return problem("quota");
    case "overflow":
      return problem("overflow", { promptTokens: Math.max(promptTokens, contextWindow + 1) });
    case "status":
      if (fault.body !== undefined) {
        response.writeHead(fault.status, { "content-type": "text/plain", ...fault.headers }).end(fault.body);
        return true;
      }
      return problem("status", { status: fault.status, ...pick(fault.message) }, fault.headers);
    case "html":
      response.writeHead(fault.status, { "content-type": "text/html" }).end(GATEWAY_PAGE);
      return true;
    case "reset":
      if (fault.afterDeltas === undefined) response.destroy();
      return fault.afterDeltas === undefined;
    case "stall":
      return fault.afterDeltas === undefined;
    default:
      return false;
  }
}

const pick = (message: string | undefined) => (message === undefined ? {} : { message });

const GATEWAY_PAGE =
  "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";

const TOO_LARGE: WireRejection = { status: 413, message: "Request exceeds the maximum size" };
/** How a wrong key is refused, unless the format has its own way. */
export const BAD_KEY: WireRejection = {
  status: 401,
  message: "invalid x-api-key: Incorrect API key provided",
};
const notJson = (why: string): WireRejection => ({
  status: 400,
  message: `The request body is not valid JSON: ${why}`,
});

function reject(exchange: Exchange, body: JsonObject | undefined, rejection: WireRejection): void {
  const { format, state, path } = exchange;
  state.rejections.push({ ...rejection, api: format.api, path, body });
  sendJson(exchange.response, rejection.status, format.refusal(rejection));
}

interface PromptSize {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

function refuseOverflow(exchange: Exchange, body: JsonObject, size: PromptSize): void {
  const { format, state, path } = exchange;
  const { contextWindow } = state.limits;
  const { promptTokens, outputTokens } = size;
  const isPromptAlone = promptTokens > contextWindow;
  const counted = isPromptAlone ? { promptTokens } : size;
  const problem = format.problem({ kind: "overflow", contextWindow, ...counted });
  const message = `${promptTokens}${isPromptAlone ? "" : ` + ${outputTokens}`} tokens > ${contextWindow}`;
  state.overflows.push({ status: problem.status, message, api: format.api, path, body });
  sendJson(exchange.response, problem.status, problem.body);
}

/** Sends a JSON body with a status. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The whole body, or undefined when it is longer than allowed; the rest is then read and dropped. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += (chunk as Uint8Array).length;
    if (length <= maxBytes) chunks.push(chunk as Uint8Array);
  }
  return length > maxBytes ? undefined : Buffer.concat(chunks);
}

/** Headers with lower-case names; repeated ones joined by a comma. */
export function plainHeaders(incoming: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
