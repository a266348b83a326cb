import { tableLines } from "../../../render/table.ts";
import { keyHelp } from "../keymap.ts";
import { FOOTER_LEGEND } from "../views/footer-legend.ts";
import type { SlashCommand } from "./command.ts";

export const helpCommand: SlashCommand = {
  name: "help",
  help: "commands, keys and what the footer says",
  run(host) {
    const commands = host.commands.map(({ name, argument, help }) => [
      argument === undefined ? `/${name}` : `/${name} ${argument}`,
      help,
    ]);
    const parts = [
      ["Commands", ...tableLines(commands)],
      ["Keys", ...tableLines(keyHelp())],
      ["Footer", ...tableLines(FOOTER_LEGEND)],
    ];
    host.notice(parts.map((lines) => lines.join("\n")).join("\n\n"));
  },
};
