import type { SlashCommand } from "./command.ts";

const NAME = "mcp";

export const mcpCommand: SlashCommand = {
  name: NAME,
  argument: "[server]",
  help: "the MCP servers and how they are; with a name, starts that one again",
  async run(host, argument) {
    // The part that runs the servers answers; without any it is not there.
    const isThere = host.agent.commands.some(({ name }) => name === NAME);
    if (!isThere) return host.notice("There are no MCP servers; `coppice mcp add` adds one.");
    host.notice((await host.agent.runCommand(NAME, argument)) ?? "");
  },
};
