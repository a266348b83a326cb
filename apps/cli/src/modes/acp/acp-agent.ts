import { setImmediate as nextTick } from "node:timers/promises";
import {
  type AgentApp,
  type AgentContext,
  agent,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from "@agentclientprotocol/sdk";
import { EXIT_CODES } from "../../exit-codes.ts";
import { failureOf, inOneLine } from "../../render/error-text.ts";
import { type AcpSession, UnknownChoice } from "./acp-session.ts";
import type { AcpSessions, OpenSessionOptions } from "./acp-sessions.ts";
import { promptFromBlocks } from "./prompt-blocks.ts";

/** Sessions told at once; the editor asks for more. */
const SESSIONS_PER_PAGE = 50;

/** The protocol's methods over sessions. Errors reach the editor with what happened and what to do. */
export function createAcpAgent(sessions: AcpSessions): AgentApp {
  return agent({ name: "coppice" })
    .onRequest("initialize", ({ params }) => initialize(sessions, params))
    .onRequest("authenticate", () => ({}))
    .onRequest("session/new", ({ params, client }) =>
      explained(async () => {
        const session = await sessions.open({ ...placeOf(params), client });
        tellLater(session);
        return { sessionId: session.id, ...(await choicesOf(session)) };
      }),
    )
    .onRequest("session/load", ({ params, client }) =>
      explained(async () => {
        const session = await openStored(sessions, params, client);
        await session.replay();
        return choicesOf(session);
      }),
    )
    .onRequest("session/resume", ({ params, client }) =>
      explained(async () => choicesOf(await openStored(sessions, params, client))),
    )
    .onRequest("session/list", ({ params }) => explained(() => listSessions(sessions, params)))
    .onRequest("session/close", ({ params }) => explained(() => sessions.close(params.sessionId)))
    .onRequest("session/set_mode", ({ params }) =>
      explained(() => sessions.get(params.sessionId).choose("mode", params.modeId)),
    )
    .onRequest("session/set_config_option", ({ params }) =>
      explained(async () => {
        const session = sessions.get(params.sessionId);
        await session.choose(params.configId, params.value);
        return { configOptions: await session.configOptions() };
      }),
    )
    .onRequest("session/prompt", ({ params, signal }) =>
      explained(() => sessions.get(params.sessionId).prompt(promptFromBlocks(params.prompt), signal)),
    )
    .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId).cancel());
}

function initialize(sessions: AcpSessions, { clientCapabilities }: InitializeRequest): InitializeResponse {
  const can = clientCapabilities?.session ?? {};
  const isThere = (capability: unknown) => capability !== undefined && capability !== null;
  sessions.extras = { notices: isThere(can.notices), compaction: isThere(can.compaction) };
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "coppice", title: "Coppice", version: sessions.version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
    authMethods: [
      {
        id: "key",
        name: "A provider's key",
        description:
          "Run `coppice auth set PROVIDER` in a terminal, or start the editor with ANTHROPIC_API_KEY, OPENAI_API_KEY or the like.",
      },
    ],
  };
}

function openStored(
  sessions: AcpSessions,
  params: ResumeSessionRequest,
  client: AgentContext,
): Promise<AcpSession> {
  return sessions.open({ sessionId: params.sessionId, ...placeOf(params), client }).then((session) => {
    tellLater(session);
    return session;
  });
}

function placeOf({
  cwd,
  mcpServers = [],
}: Pick<ResumeSessionRequest, "cwd" | "mcpServers">): Pick<OpenSessionOptions, "cwd" | "mcpServers"> {
  return { cwd, mcpServers };
}

async function choicesOf(session: AcpSession) {
  return { modes: session.modes, configOptions: await session.configOptions() };
}

/** An editor knows a session only once it has the answer that names it. */
function tellLater(session: AcpSession): void {
  void nextTick().then(() => session.tellCommands());
}

async function listSessions(
  sessions: AcpSessions,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const start = Number(cursor ?? 0);
  if (!Number.isSafeInteger(start) || start < 0) throw RequestError.invalidParams({ cursor });
  const all = await sessions.list(cwd ?? undefined);
  const next = start + SESSIONS_PER_PAGE;
  return {
    sessions: all.slice(start, next).map((session) => ({
      sessionId: session.id,
      cwd: session.cwd,
      title: session.name ?? session.firstPrompt ?? null,
      updatedAt: session.lastMessageAt,
    })),
    ...(next < all.length ? { nextCursor: String(next) } : {}),
  };
}

/** Whatever is thrown, as an error of the protocol whose message a person can act on. */
async function explained<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const failure = failureOf(error);
    const text = inOneLine(failure);
    const { exitCode } = failure;
    if (exitCode === EXIT_CODES.auth.code) throw RequestError.authRequired({ message: text }, text);
    const isAsked = error instanceof UnknownChoice || exitCode === EXIT_CODES.usage.code;
    if (isAsked) throw RequestError.invalidParams({ message: text }, text);
    throw RequestError.internalError({ message: text }, text);
  }
}
