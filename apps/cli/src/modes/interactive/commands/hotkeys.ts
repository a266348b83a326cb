import { tableLines } from "../../../render/table.ts";
import { keyTable } from "../keymap.ts";
import type { SlashCommand } from "./command.ts";

export const hotkeysCommand: SlashCommand = {
  name: "hotkeys",
  help: "every key, and the names for keybindings.json",
  run(host) {
    const table = tableLines(keyTable()).join("\n");
    host.notice(`${table}\n\nChange them in ${host.places.keybindingsFile}: {"app.expand": ["ctrl+e"]}`);
  },
};
