import { tableLines } from "../../../render/table.ts";
import { keyHelp } from "../keymap.ts";
import type { SlashCommand } from "./command.ts";

export const helpCommand: SlashCommand = {
  name: "help",
  help: "commands and keys",
  run(host) {
    const commands = host.commands.map(({ name, argument, help }) => [
      argument === undefined ? `/${name}` : `/${name} ${argument}`,
      help,
    ]);
    host.notice(["Commands", ...tableLines(commands), "", "Keys", ...tableLines(keyHelp())].join("\n"));
  },
};
