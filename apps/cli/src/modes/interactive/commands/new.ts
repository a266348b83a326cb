import type { SlashCommand } from "./command.ts";

export const newCommand: SlashCommand = {
  name: "new",
  help: "begin an empty session; this one stays on disk",
  run: (host) => host.startNewSession(),
};
