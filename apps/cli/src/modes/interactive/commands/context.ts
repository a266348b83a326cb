import type { SlashCommand } from "./command.ts";
import { contextLines } from "./context-lines.ts";

export const contextCommand: SlashCommand = {
  name: "context",
  help: "what the model sees, entry by entry, with size and reason",
  async run(host) {
    host.notice(contextLines(await host.agent.inspectContext()).join("\n"));
  },
};
