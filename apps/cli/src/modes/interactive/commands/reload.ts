import type { SlashCommand } from "./command.ts";

export const reloadCommand: SlashCommand = {
  name: "reload",
  help: "read keys, settings, skills, templates and extensions anew",
  async run(host) {
    await host.reopen();
    host.notice("Read anew: keys, settings, skills, templates, extensions and instruction files.");
  },
};
