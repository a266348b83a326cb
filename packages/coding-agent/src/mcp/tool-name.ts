import { createHash } from "node:crypto";

/** What every provider takes as the name of a tool: letters, digits, `_` and `-`, at most 64. */
const MOST_CHARS = 64;
/** So that there is room for the tool behind the server. */
const MOST_SERVER_CHARS = 24;
const HASH_CHARS = 8;

/**
 * The name under which a server's tool is offered: `mcp__server__tool`.
 *
 * Two different tools never share a name: one that has to be changed, or that could be taken for another, ends in a hash
 * of what it was.
 */
export function mcpToolName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`;
  if (isPlainServer(server) && isPlainTool(tool) && plain.length <= MOST_CHARS) return plain;
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, HASH_CHARS);
  return `${`${mcpToolPrefix(server)}__${legal(tool)}`.slice(0, MOST_CHARS - HASH_CHARS - 1)}_${hash}`;
}

/** What the names of all tools of a server begin with; those of other servers may, too. */
export function mcpToolPrefix(server: string): string {
  return `mcp__${legal(server).slice(0, MOST_SERVER_CHARS)}`;
}

/** The first `__` behind it must be the end of the server, or two pairs could be written the same way. */
function isPlainServer(server: string): boolean {
  return server.length <= MOST_SERVER_CHARS && /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(server);
}

function isPlainTool(tool: string): boolean {
  return /^[A-Za-z0-9-][A-Za-z0-9_-]*$/.test(tool) && !/_[0-9a-f]{8}$/.test(tool);
}

function legal(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
