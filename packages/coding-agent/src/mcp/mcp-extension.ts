import { untilAborted } from "@coppice/agent";
import type { ConfigFiles } from "../config/config-files.ts";
import { messageOf } from "../errors.ts";
import type { Extension, ExtensionApi } from "../extension.ts";
import { type Sleep, sleep as systemSleep } from "../sleep.ts";
import { createMcpConnector } from "./connection.ts";
import type { Variable } from "./expand-variables.ts";
import type { Fetch } from "./limited-fetch.ts";
import { McpServer, type McpServerStatus } from "./mcp-server.ts";
import { createMcpServers, type McpServers, shortWait } from "./mcp-servers.ts";
import { McpToolSet } from "./mcp-tools.ts";
import { type McpServerConfig, parseMcpConfig, readMcpServers } from "./server-config.ts";
import { mcpToolPrefix } from "./tool-name.ts";

export interface McpExtensionOptions {
  readonly files: Pick<ConfigFiles, "read">;
  /** `mcp.json` files, the one above first: the user's, and the project's once it is trusted. */
  readonly configPaths: readonly string[];
  /** Servers that the host itself names, before those of the files; written and checked like theirs. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** Values for `$NAME` in them, and of the few variables that servers inherit. */
  readonly variable: Variable;
  readonly fetch?: Fetch;
  /** Waits between attempts to start a server. */
  readonly sleep?: Sleep;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Takes the servers, while the extension is set up; not called where there are none. */
  readonly onServers?: (servers: McpServers) => void;
}

/**
 * The tools of MCP servers, as `mcp__server__tool`.
 *
 * Servers start in the background and their tools appear as they get ready. A prompt waits, up to their time limits,
 * for those that are `required` and those whose tools were chosen or used before; for the others the first prompt waits
 * two seconds at most.
 */
export function createMcpExtension(options: McpExtensionOptions): Extension {
  return {
    name: "mcp",
    async setup(api) {
      const { servers: configs, diagnostics } = await loadMcpServers(options);
      for (const diagnostic of diagnostics) await api.report(diagnostic);
      const servers = [...configs]
        .filter(([, config]) => config.enabled !== false)
        .map(([name, config]) => startServer(name, config, { api, options }));
      if (servers.length === 0) return;
      api.onUnload(() => Promise.all(servers.map((server) => server.stop())).then(() => {}));
      waitBeforePrompts(api, servers);
      const all = createMcpServers(servers);
      options.onServers?.(all);
      api.registerCommand("mcp", {
        description: "Shows the MCP servers; with a name, starts that one again.",
        argumentHint: "[server]",
        handler: async (name) => {
          if (name === "") return statusText(await all.status());
          const status = await all.restart(name);
          if (status !== undefined) return statusText([status]);
          return `There is no server "${name}". There are: ${servers.map((one) => one.name).join(", ")}.`;
        },
      });
    },
  };
}

/** The servers by name, the host's and those of the first files above; what cannot be used is a diagnostic each. */
export async function loadMcpServers({
  files,
  configPaths,
  servers: given = {},
}: Pick<McpExtensionOptions, "files" | "configPaths" | "servers">): Promise<{
  readonly servers: ReadonlyMap<string, McpServerConfig>;
  readonly diagnostics: readonly string[];
}> {
  const { servers: own, diagnostics: ofOwn } = await readMcpServers(given);
  const servers = new Map(own);
  const diagnostics = [...ofOwn];
  for (const path of configPaths) {
    try {
      const parsed = await parseMcpConfig((await files.read(path)) ?? "", path);
      diagnostics.push(...parsed.diagnostics);
      for (const [name, config] of parsed.servers) if (!servers.has(name)) servers.set(name, config);
    } catch (error) {
      diagnostics.push(messageOf(error));
    }
  }
  return { servers, diagnostics };
}

interface Surroundings {
  readonly api: ExtensionApi;
  readonly options: McpExtensionOptions;
}

function startServer(name: string, config: McpServerConfig, { api, options }: Surroundings): McpServer {
  const { variable, fetch = globalThis.fetch, sleep = systemSleep, now = Date.now } = options;
  // A report of a server that is just ending has nobody to go to.
  const onTrouble = (message: string) => void api.report(message).catch(() => {});
  const server: McpServer = new McpServer({
    ...{ name, config, sleep, now, onTrouble },
    connect: createMcpConnector({ cwd: api.cwd, variable, fetch }),
    onTools: (tools) => toolSet.update(tools),
  });
  const toolSet = new McpToolSet({ server, onTrouble, register: (tool) => api.registerTool(tool) });
  api.expectTools(mcpToolPrefix(name));
  server.start();
  return server;
}

function waitBeforePrompts(api: ExtensionApi, servers: readonly McpServer[]): void {
  let isFirst = true;
  api.on("before_agent_start", async (_, signal) => {
    const missing = api.missingTools();
    const isWanted = ({ name, config }: McpServer) =>
      config.required === true || missing.some((tool) => tool.startsWith(mcpToolPrefix(name)));
    const waits = servers.map((server) => {
      if (isWanted(server)) return untilAborted(server.settled, signal);
      return isFirst ? untilAborted(server.settled, AbortSignal.any([signal, shortWait()])) : undefined;
    });
    isFirst = false;
    await Promise.allSettled(waits);
    return undefined;
  });
}

function statusText(servers: readonly McpServerStatus[]): string {
  return servers
    .map(({ name, state, tools, error }) => {
      const facts = state === "ready" ? `${tools} tools` : (error ?? "");
      return facts === "" ? `${name}: ${state}` : `${name}: ${state}, ${facts}`;
    })
    .join("\n");
}
