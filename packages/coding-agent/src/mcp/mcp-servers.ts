import { untilAborted } from "@coppice/agent";
import type { McpServer, McpServerStatus } from "./mcp-server.ts";

/** How long servers that are still starting may hold up the first prompt, and the list of servers. */
const SHORT_WAIT_MS = 2000;

/** The MCP servers of an agent, for whoever made it. */
export interface McpServers {
  /** How each of them is, in the order of the files; waits two seconds at most for those that are starting. */
  status(): Promise<readonly McpServerStatus[]>;
  /** Connects to one anew, and says how it is then; undefined where there is none of that name. */
  restart(name: string): Promise<McpServerStatus | undefined>;
}

/** What can be done with servers from outside. */
export function createMcpServers(servers: readonly McpServer[]): McpServers {
  return {
    async status() {
      await Promise.allSettled(servers.map(({ settled }) => untilAborted(settled, shortWait())));
      return servers.map(({ status }) => status);
    },
    async restart(name) {
      const server = servers.find((one) => one.name === name);
      await server?.restart();
      return server?.status;
    },
  };
}

/** Fires when a server that is still starting is not waited for any longer. */
export function shortWait(): AbortSignal {
  return AbortSignal.timeout(SHORT_WAIT_MS);
}
