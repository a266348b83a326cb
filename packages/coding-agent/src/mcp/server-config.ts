import { type Static, type TSchema, Type } from "typebox";
import { parseJsonc } from "../config/jsonc.ts";
import { schemaProblem } from "../config/schema-problem.ts";
import { messageOf } from "../errors.ts";

const texts = Type.Record(Type.String(), Type.String());
const milliseconds = Type.Optional(Type.Integer({ minimum: 100, maximum: 3_600_000 }));

const shared = {
  /** False keeps the server in the file without starting it. */
  enabled: Type.Optional(Type.Boolean()),
  /** The first prompt waits for it; others are waited for only when their tools were chosen or used. */
  required: Type.Optional(Type.Boolean()),
  /** How long it may take until it is ready. */
  connectTimeoutMs: milliseconds,
  /** How long a call may take without a sign of progress. */
  callTimeoutMs: milliseconds,
};

const StdioServer = Type.Object({
  ...shared,
  type: Type.Optional(Type.Literal("stdio")),
  command: Type.String({ minLength: 1 }),
  args: Type.Optional(Type.Array(Type.String())),
  /** Beside the few variables that every program needs. */
  env: Type.Optional(texts),
  cwd: Type.Optional(Type.String({ minLength: 1 })),
});

const HttpServer = Type.Object({
  ...shared,
  type: Type.Optional(Type.Union([Type.Literal("http"), Type.Literal("streamable-http")])),
  url: Type.String({ pattern: "^https?://" }),
  headers: Type.Optional(texts),
});

/** A server that is a process. Texts may hold `$VARIABLE`. */
export type StdioServerConfig = Static<typeof StdioServer>;

/** A server behind an address. Texts may hold `$VARIABLE`. */
export type HttpServerConfig = Static<typeof HttpServer>;

/** One server of `mcp.json`. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

export interface ParsedMcpConfig {
  /** By name, in the order of the file. */
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  readonly diagnostics: readonly string[];
}

/** True for a server that is a process. */
export function isStdio(config: McpServerConfig): config is StdioServerConfig {
  return "command" in config;
}

/** Why a value cannot be a server; undefined when it can. Values are not repeated: they may be secrets. */
export async function mcpServerProblem(value: unknown): Promise<string | undefined> {
  if (typeof value !== "object" || value === null) return "it is no object";
  if ("type" in value && value.type === "sse")
    return "SSE was replaced by streamable HTTP and is not spoken here";
  const hasCommand = "command" in value;
  if (hasCommand === "url" in value) return "it needs either a `command` or a `url`";
  const schema: TSchema = hasCommand ? StdioServer : HttpServer;
  const error = await schemaProblem(schema, value);
  return error === undefined ? undefined : `${error.instancePath.slice(1) || "it"} ${error.message}`;
}

/**
 * Reads the text of an `mcp.json`: `{ "mcpServers": { name: { command, args, env } | { url, headers } } }`. What cannot be
 * used is named and left out; the rest counts. `path` is named in the diagnostics.
 */
export async function parseMcpConfig(text: string, path: string): Promise<ParsedMcpConfig> {
  if (text.trim() === "") return await readMcpServers({});
  try {
    const { mcpServers = {} } = (await parseJsonc(text)) as { readonly mcpServers?: unknown };
    if (typeof mcpServers !== "object" || mcpServers === null) throw new Error("`mcpServers` is no object");
    const { servers, diagnostics } = await readMcpServers(mcpServers);
    return { servers, diagnostics: diagnostics.map((diagnostic) => `${path}: ${diagnostic}`) };
  } catch (error) {
    return { servers: new Map(), diagnostics: [`${path} is not used: ${messageOf(error)}.`] };
  }
}

/** The value of `mcpServers`; what cannot be used is named and left out. */
export async function readMcpServers(mcpServers: object): Promise<ParsedMcpConfig> {
  const servers = new Map<string, McpServerConfig>();
  const diagnostics: string[] = [];
  for (const [name, value] of Object.entries(mcpServers)) {
    const problem = await mcpServerProblem(value);
    if (problem === undefined) servers.set(name, value as McpServerConfig);
    else diagnostics.push(`the server "${name}" is left out: ${problem}.`);
  }
  return { servers, diagnostics };
}
