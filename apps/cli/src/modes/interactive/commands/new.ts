import type { SlashCommand } from "./command.ts";

export const newCommand: SlashCommand = {
  name: "new",
  help: "begin an empty session; this one stays on disk",
  async run(host) {
    await host.goOnIn({ kind: "new" });
    host.notice("A new session.");
  },
};
