import type { McpServer } from "@agentclientprotocol/sdk";

/**
 * The servers of an editor as `mcp.json` has them. Their texts are meant as they are, so a `$` names no variable; of two
 * with one name the first counts.
 */
export function serverConfigs(servers: readonly McpServer[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(servers.toReversed().map((server) => [server.name, configOf(server)]));
}

function configOf(server: McpServer): unknown {
  if ("url" in server) {
    return { type: server.type, url: literal(server.url), headers: textsOf(server.headers) };
  }
  const { command, args, env } = server;
  return { command: literal(command), args: args.map(literal), env: textsOf(env) };
}

function textsOf(pairs: readonly { readonly name: string; readonly value: string }[]) {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, literal(value)]));
}

/** What stays the same when variables are put in. */
function literal(text: string): string {
  return text.replaceAll("$", "$$$$");
}
