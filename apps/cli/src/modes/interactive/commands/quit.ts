import type { SlashCommand } from "./command.ts";

export const quitCommand: SlashCommand = {
  name: "quit",
  help: "leave; the session stays on disk",
  run: (host) => host.quit(),
};
