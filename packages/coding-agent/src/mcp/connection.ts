import { untilAborted } from "@coppice/agent";
import type { Client, Tool, Transport } from "@modelcontextprotocol/client";
import { messageOf } from "../errors.ts";
import { expandVariables, type Variable } from "./expand-variables.ts";
import { type Fetch, limitedFetch } from "./limited-fetch.ts";
import {
  type HttpServerConfig,
  isStdio,
  type McpServerConfig,
  type StdioServerConfig,
} from "./server-config.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { McpCallResult } from "./tool-result.ts";

/** A tool as a server describes it. */
export type McpTool = Pick<Tool, "name" | "title" | "description" | "inputSchema">;

export interface McpCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

/** An open connection to a server. */
export interface McpConnection {
  readonly tools: readonly McpTool[];
  /** Rejects when the server answers with an error, is gone, or the signal fires: the server is then told. */
  call(call: McpCall): Promise<McpCallResult>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface ConnectRequest {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly signal: AbortSignal;
  readonly onToolsChanged: (tools: readonly McpTool[]) => void;
  /** The connection is gone, and nobody closed it. */
  readonly onLost: () => void;
}

/** Opens a connection and lists the server's tools. */
export type Connect = (request: ConnectRequest) => Promise<McpConnection>;

export interface ConnectorOptions {
  /** Absolute; where servers run. */
  readonly cwd: string;
  /** Values for `$NAME` in the configuration, and of the few variables that servers inherit. */
  readonly variable: Variable;
  readonly fetch: Fetch;
}

/** A message of a server: the larger half of what images are cut to, and far more than any text. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const DEFAULT_CONNECT_TIMEOUT_MS = 30_000;
const DEFAULT_CALL_TIMEOUT_MS = 120_000;

/** All that a server's process sees of the user's environment; keys and tokens are not among it. */
const INHERITED = [
  ...["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"],
  ...["APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE"],
  ...["SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "WINDIR"],
];

/** Makes what opens connections. The protocol's library is loaded with the first of them. */
export function createMcpConnector(options: ConnectorOptions): Connect {
  return async ({ name, config, signal, onToolsChanged, onLost }) => {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const broken = new AbortController();
    const transport: Transport = isStdio(config)
      ? stdioTransport(config, options)
      : new StreamableHTTPClientTransport(...httpParameters(config, { options, broken }));
    const client = new Client(
      { name: "coppice", version: "1" },
      {
        // A process may end at a question that it does not know; a server behind an address says so.
        versionNegotiation: { mode: isStdio(config) ? "legacy" : "auto" },
        listChanged: {
          tools: {
            onChanged: (error, tools) => void (error === null && tools !== null && onToolsChanged(tools)),
          },
        },
      },
    );
    let isClosed = false;
    const close = async () => {
      isClosed = true;
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
    };
    const timeout = config.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
    try {
      const limit = AbortSignal.any([signal, broken.signal, AbortSignal.timeout(timeout)]);
      const tools = await untilAborted(openAndList(client, transport, { signal: limit, timeout }), limit);
      client.onclose = () => void (!isClosed && onLost());
      broken.signal.addEventListener("abort", () => void (!isClosed && onLost()));
      return { tools, call: (call) => callTool(client, config, call), close };
    } catch (error) {
      await close();
      signal.throwIfAborted();
      throw connectFailure(error, { name, timeout, transport });
    }
  };
}

async function openAndList(
  client: Client,
  transport: Transport,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<readonly McpTool[]> {
  await client.connect(transport, options);
  if (client.getServerCapabilities()?.tools === undefined) return [];
  return (await client.listTools(undefined, options)).tools;
}

async function callTool(
  client: Client,
  config: McpServerConfig,
  { tool, input, signal, onProgress }: McpCall,
): Promise<McpCallResult> {
  return client.callTool(
    { name: tool, arguments: { ...input } },
    {
      signal,
      timeout: config.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
      resetTimeoutOnProgress: true,
      onprogress: ({ progress, total, message }) =>
        onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
    },
  );
}

function stdioTransport(config: StdioServerConfig, { cwd, variable }: ConnectorOptions): StdioTransport {
  const expand = (text: string) => expandVariables(text, variable);
  const inherited = INHERITED.flatMap((name) => {
    const value = variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = Object.entries(config.env ?? {}).map(([name, value]) => [name, expand(value)] as const);
  return new StdioTransport({
    command: expand(config.command),
    args: (config.args ?? []).map(expand),
    environmentVariables: Object.fromEntries([...inherited, ...own]),
    cwd: config.cwd === undefined ? cwd : expand(config.cwd),
    maxMessageBytes: MAX_MESSAGE_BYTES,
  });
}

interface HttpSurroundings {
  readonly options: ConnectorOptions;
  /** Fired when the server's messages cannot be followed any more. */
  readonly broken: AbortController;
}

function httpParameters(config: HttpServerConfig, { options, broken }: HttpSurroundings) {
  const { variable, fetch } = options;
  const expand = (text: string) => expandVariables(text, variable);
  const headers = Object.entries(config.headers ?? {}).map(([name, value]) => [name, expand(value)] as const);
  return [
    new URL(expand(config.url)),
    {
      requestInit: { headers: Object.fromEntries(headers) },
      fetch: limitedFetch(fetch, {
        maxMessageBytes: MAX_MESSAGE_BYTES,
        onExceeded: (error) => broken.abort(error),
      }),
    },
  ] as const;
}

interface FailedConnect {
  readonly name: string;
  readonly timeout: number;
  readonly transport: Transport;
}

function connectFailure(error: unknown, { timeout, transport }: FailedConnect): Error {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const what = isLate ? `it was not ready within ${timeout / 1000} s` : messageOf(error);
  const said = transport instanceof StdioTransport ? transport.stderr : "";
  const message = said === "" ? what : `${what}; it wrote: ${said}`;
  return new Error(message, { cause: error });
}
