import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type AgentContext, type McpServer, RequestError } from "@agentclientprotocol/sdk";
import type { PermissionGuardOptions } from "@coppice/coding-agent";
import { JsonlRepo, type SessionSummary } from "@coppice/session";
import type { CliContext } from "../../cli-context.ts";
import { composeWithModels } from "../../compose.ts";
import type { FlagValues } from "../../flags.ts";
import { AcpSession } from "./acp-session.ts";
import { serverConfigs } from "./mcp-servers.ts";
import { permissionAnswer, permissionOptions } from "./permission.ts";
import { callFacts, diffsOf } from "./tool-call.ts";
import type { ShownExtras } from "./updates.ts";

export interface OpenSessionOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Of the session to go on with; absent = a new one. */
  readonly sessionId?: string;
  /** The editor's own, for this session. */
  readonly mcpServers: readonly McpServer[];
  readonly client: AgentContext;
}

/** The sessions that an editor has open, each an agent of its own. */
export class AcpSessions {
  readonly #context: CliContext;
  readonly #open = new Map<string, AcpSession>();
  /** What the editor said that it can show. */
  extras: ShownExtras = { notices: false, compaction: false };

  constructor(context: CliContext) {
    this.#context = context;
  }

  /** Of this program. */
  get version(): string {
    return this.#context.version;
  }

  /** Throws `RequestError` for one that is not open. */
  get(sessionId: string): AcpSession {
    const session = this.#open.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  /** Opens a session; one that is open already is closed first, since two writers would be one too many. */
  async open({ cwd, sessionId, mcpServers, client }: OpenSessionOptions): Promise<AcpSession> {
    await requireFolder(cwd);
    if (sessionId !== undefined) await this.close(sessionId);
    const { args } = this.#context;
    let id = "";
    const permission = asking(client, () => ({ sessionId: id, cwd }));
    const { agent, permissions, setup, known } = await composeWithModels({
      ...this.#context,
      cwd,
      person: { ...this.#context.person, permission, permissionMode: "ask" },
      mcpServers: serverConfigs(mcpServers),
      args: { ...args, flags: flagsFor(args.flags, sessionId) },
    });
    id = agent.session.id;
    const built = { agent, permissions, setup };
    const session = new AcpSession({ built, known, client, extras: this.extras });
    this.#open.set(id, session);
    return session;
  }

  /** Does nothing for one that is not open. */
  async close(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    this.#open.delete(sessionId);
    await session?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }

  /** Stored sessions, newest first; of one directory where one is given. */
  async list(cwd: string | undefined): Promise<readonly SessionSummary[]> {
    const repo = new JsonlRepo({ directory: this.#context.places.sessionsDirectory });
    const found: SessionSummary[] = [];
    for await (const item of repo.list(cwd === undefined ? {} : { cwd })) {
      if (!("diagnostic" in item) && (cwd === undefined || item.cwd === cwd)) found.push(item);
    }
    return found.toSorted((a, b) => (a.lastMessageAt < b.lastMessageAt ? 1 : -1));
  }
}

/** What the command line says about sessions holds for none of the editor's. */
function flagsFor(
  { session: _, continue: __, fork: ___, resume: ____, name: _____, ...flags }: FlagValues,
  sessionId: string | undefined,
): FlagValues {
  if (sessionId === undefined) return flags;
  const { "no-session": ______, ...stored } = flags;
  return { ...stored, session: sessionId };
}

type Ask = NonNullable<PermissionGuardOptions["ask"]>;

/** Asks the editor's user. A question that the editor cannot answer is a no. */
function asking(
  client: AgentContext,
  place: () => { readonly sessionId: string; readonly cwd: string },
): Ask {
  return async (request, signal) => {
    const { sessionId, cwd } = place();
    const { tool, input, toolCallId } = request;
    const content = diffsOf(tool, input, cwd);
    const { outcome } = await client.request(
      "session/request_permission",
      {
        sessionId,
        options: permissionOptions(request),
        toolCall: {
          ...{ toolCallId, ...callFacts(tool, input, cwd) },
          ...(content.length > 0 ? { content } : {}),
        },
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return permissionAnswer(outcome);
  };
}

/** The protocol wants an absolute path; a tool would make a folder that is not there. */
async function requireFolder(cwd: string): Promise<void> {
  const isFolder =
    isAbsolute(cwd) &&
    (await stat(cwd).then(
      (info) => info.isDirectory(),
      () => false,
    ));
  if (!isFolder)
    throw RequestError.invalidParams(
      { cwd },
      `The working directory ${JSON.stringify(cwd)} is no absolute path of a folder.`,
    );
}
